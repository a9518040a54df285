// files that n8n reads besides the compiled nodes: icons, and the words by which nodes are found
import { cpSync, globSync } from 'node:fs'

for (const path of globSync(['icons/*.svg', 'nodes/**/*.node.json'])) cpSync(path, `dist/${path}`)
