import react from '@vitejs/plugin-react'
import { defineConfig } from 'vite'

/** Everything but the screens is the server's, also while one works on the screens. */
const served =
  '^/(api|oauth|automation|webhook|docs|openapi|s|sign|invite|reset|widget|calendar/|readyz|livez|.well-known)'
const server = process.env.PERENNIAL_URL ?? 'http://127.0.0.1:3000'

export default defineConfig({
  plugins: [react()],
  build: {
    target: 'es2023',
    manifest: true,
    cssCodeSplit: false,
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
  },
  server: { port: 5173, strictPort: true, proxy: { [served]: { target: server } } },
})
