import { promisify } from 'node:util'
import { gzip } from 'node:zlib'
import type { UsageFileFormat } from './object-sink.ts'

const packed = promisify(gzip)

/** JSON lines, packed with gzip. */
export const usageLines: UsageFileFormat = {
  ending: 'jsonl.gz',
  pack: (records) => packed(records.map((record) => `${JSON.stringify(record)}\n`).join('')),
}
