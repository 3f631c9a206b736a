import { setTimeout as pause } from 'node:timers/promises'
import { threadId } from 'node:worker_threads'
import { expect, it } from 'vitest'
import { openRequestThread } from './request-thread.ts'

/** Answers with the number of its thread; ends at the word "end". */
const script = new URL(
  `data:text/javascript,${encodeURIComponent(`
    import { parentPort, threadId } from 'node:worker_threads'
    parentPort.on('message', (word) => (word === 'end' ? process.exit() : parentPort.postMessage(threadId)))
  `)}`,
)

it('stays for the next request, and is another one after a rest', async () => {
  const thread = openRequestThread(script, { name: 'test', restMs: 500 })
  const first = await thread.ask<number>('a')
  expect(first).not.toBe(threadId)
  expect(await thread.ask('b')).toBe(first)
  let last = first
  while (last === first) {
    await pause(600)
    last = await thread.ask('c')
  }
  await thread.close()
  await expect(thread.ask('d')).rejects.toThrow('the thread "test" is closed')
})

it('says that it ended, and begins anew', async () => {
  const thread = openRequestThread(script, { name: 'test', restMs: undefined })
  const first = await thread.ask<number>('a')
  await expect(thread.ask('end')).rejects.toThrow('the thread "test" ended')
  expect(await thread.ask('b')).not.toBe(first)
  await thread.close()
})
