import { writeFileSync } from 'node:fs'
import { registerHooks } from 'node:module'

// Loaded ahead of a program (`node --import`): writes the addresses of all modules that it has loaded, with those
// that import them, to the file named by LOADED_FILE when it ends.

const imports: [module: string, importer: string][] = []

registerHooks({
  resolve(specifier, context, next) {
    const found = next(specifier, context)
    imports.push([found.url, context.parentURL ?? ''])
    return found
  },
})

process.on('exit', () => {
  writeFileSync(process.env.LOADED_FILE!, JSON.stringify(imports))
})
