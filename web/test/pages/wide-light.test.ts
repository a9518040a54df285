import { lookAtPages } from './look.ts'

lookAtPages('wide', 'light')
