import { Worker } from 'node:worker_threads'

/** A file as it was sent. */
export interface Sound {
  readonly bytes: Uint8Array
  readonly type: string
  readonly name: string
}

const patienceMs = 3000
const mostWaiting = 16
const heapMegabytes = 256

const inThread = (sound: Sound): Promise<number | undefined> =>
  new Promise((resolve) => {
    // Of its own, and handed over: the file may be a piece of something larger.
    const bytes = new Uint8Array(sound.bytes)
    // Bytes that only look like sound can take its reader minutes: it has a thread, which can be stopped.
    const worker = new Worker(new URL('./sound-worker.ts', import.meta.url), {
      workerData: { ...sound, bytes },
      transferList: [bytes.buffer],
      name: 'sound',
      execArgv: [],
      resourceLimits: { maxOldGenerationSizeMb: heapMegabytes },
    })
    const done = (seconds?: unknown): void => {
      clearTimeout(timer)
      void worker.terminate()
      resolve(typeof seconds === 'number' && Number.isFinite(seconds) && seconds > 0 ? seconds : undefined)
    }
    const timer = setTimeout(done, patienceMs, undefined)
    worker.once('message', done)
    worker.once('error', () => done())
    worker.once('exit', () => done())
  })

let waiting = 0
let last: Promise<unknown> = Promise.resolve()

/**
 * Length in seconds; undefined for sound that takes longer than a few seconds to read. One at a time: with too many waiting, further
 * ones are not read.
 */
export const soundLength = async (sound: Sound): Promise<number | undefined> => {
  if (waiting >= mostWaiting) return undefined
  waiting += 1
  const mine = last.then(() => inThread(sound))
  last = mine
  try {
    return await mine
  } finally {
    waiting -= 1
  }
}
