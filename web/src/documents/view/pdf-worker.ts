// reads PDFs beside the page: pdf.js begins by itself where it is a worker
import 'pdfjs-dist/build/pdf.worker.min.mjs'
