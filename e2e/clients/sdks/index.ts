import type { Client } from '../client.ts'
import { frameworks } from './frameworks.ts'
import { nodeSdks } from './node.ts'
import { openaiSdks } from './openai.ts'
import { pythonSdks } from './python.ts'

/** Official clients of providers and frameworks around them, in the order of the matrix. */
export const sdks: readonly Client[] = [...openaiSdks, ...pythonSdks, ...frameworks, ...nodeSdks]
