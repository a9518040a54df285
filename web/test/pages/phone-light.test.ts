import { lookAtPages } from './look.ts'

lookAtPages('phone', 'light')
