import { appendFileSync } from 'node:fs'
import { registerHooks } from 'node:module'
import { isMainThread } from 'node:worker_threads'

// Notes every module that a process and its threads load, in the file of NOTED_LOADS; when it ends, those of Node itself that its
// main thread has loaded.
const file = process.env.NOTED_LOADS
if (file !== undefined) {
  registerHooks({
    load: (url, context, next) => {
      if (url.startsWith('file:')) appendFileSync(file, `${url}\n`)
      return next(url, context)
    },
  })
  if (isMainThread)
    process.on('exit', () => appendFileSync(file, process.moduleLoadList.map((name) => `${name}\n`).join('')))
}
