import react from '@vitejs/plugin-react'
import { defineConfig, type Plugin } from 'vite'

/** Everything but the screens is the server's, also while one works on the screens. */
const served =
  '^/(api|oauth|automation|webhook|docs|openapi|s|sign|invite|reset|widget|calendar/|readyz|livez|.well-known)'
const server = process.env.PERENNIAL_URL ?? 'http://127.0.0.1:3000'

export default defineConfig({
  plugins: [react(), layersFirst()],
  build: {
    target: 'es2023',
    manifest: true,
    cssCodeSplit: false,
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
    // the gallery is for people who work on the components and for tests: no part of the product
    rolldownOptions: process.env.WEB_GALLERY ? { input: 'gallery.html' } : {},
  },
  server: { port: 5173, strictPort: true, proxy: { [served]: { target: server } } },
})

/**
 * The style sheet begins with the order of the cascade's layers. The bundler joins the files of all
 * routes in an order of its own, and the first mention of a layer decides its place.
 */
function layersFirst(): Plugin {
  return {
    name: 'layers-first',
    // after the bundler has written its one style sheet
    enforce: 'post',
    generateBundle(_, bundle) {
      for (const file of Object.values(bundle)) {
        if (file.type !== 'asset' || !file.fileName.endsWith('.css')) continue
        file.source = `@layer base,ui,page;${file.source}`
      }
    },
  }
}
