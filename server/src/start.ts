import { enableCompileCache } from 'node:module'
import { join } from 'node:path'
import { isMainThread } from 'node:worker_threads'
import { memoryLimit } from './lib/memory/memory-limit.ts'
import { memorySettings } from './lib/memory/memory-settings.ts'

const isSet = 'TOLLGATE_MEMORY_SET'

/**
 * Begins this process anew, under its number, with flags and variables that only count from the beginning. Goes on without
 * them where a process cannot replace itself (Windows).
 */
const beginWithMemorySettings = (): void => {
  if (process.env[isSet] !== undefined || process.execve === undefined || !isMainThread) return
  if (process.platform === 'win32') return
  const { flags, environment } = memorySettings(memoryLimit())
  // The operator's flags come last, and take precedence.
  const args = [process.execPath, ...flags, ...process.execArgv, import.meta.filename, ...process.argv.slice(2)]
  process.execve(process.execPath, args, { ...environment, ...process.env, [isSet]: '1' })
}

// In the environment, because threads look for it there: one that strips types itself takes three times the memory.
process.env.NODE_COMPILE_CACHE ??= join(import.meta.dirname, '../../node_modules/.cache/compile')
beginWithMemorySettings()
enableCompileCache(process.env.NODE_COMPILE_CACHE)
await import('./main.ts')
