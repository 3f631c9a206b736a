import { parentPort, workerData } from 'node:worker_threads'
import { parseBuffer } from 'music-metadata'
import type { Sound } from './sound-length.ts'

/** Reads how long a sound is, and ends. */
const { bytes, type, name } = workerData as Sound

const read = async (): Promise<number | undefined> => {
  const { format } = await parseBuffer(bytes, { mimeType: type, path: name }, { duration: true, skipCovers: true })
  return format.duration
}

parentPort?.postMessage(await read().catch(() => undefined))
