// what n8n reads beside the compiled nodes: icons and the words that nodes are found by
import { cpSync, globSync } from 'node:fs'

for (const path of globSync(['icons/*.svg', 'nodes/**/*.node.json'])) cpSync(path, `dist/${path}`)
