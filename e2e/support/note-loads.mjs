import { appendFileSync } from 'node:fs'
import { registerHooks } from 'node:module'

// Notes every module that a process and its threads load, in the file of NOTED_LOADS.
const file = process.env.NOTED_LOADS
if (file !== undefined) {
  registerHooks({
    load: (url, context, next) => {
      if (url.startsWith('file:')) appendFileSync(file, `${url}\n`)
      return next(url, context)
    },
  })
}
