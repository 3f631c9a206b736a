import type { Recording } from '../../server/test/support/relay/wire.ts'

/** How the provider's bytes are cut on their way: piece by piece, byte by byte, at random, or not at all. */
export const chunkings: readonly string[] = ['event', 'byte:1', 'byte:7', 'random:11', 'coalesce']

/** Bytes sent one at a time take their time. */
const mostBytesOneByOne = 8000

export const mayCut = ({ response }: Recording, chunking: string): boolean =>
  chunking !== 'byte:1' || JSON.stringify(response).length < mostBytesOneByOne
