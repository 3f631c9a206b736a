import type { Readable } from 'node:stream'

/** Storage of things by name: a folder, or a bucket. */
export interface StoragePlace {
  /** Stores all or nothing under a name. */
  write(name: string, bytes: Readable): Promise<void>
  /** The same of bytes that are there already, in one request. */
  put(name: string, bytes: Buffer): Promise<void>
  /** Throws where there is nothing of this name. */
  read(name: string): Promise<Readable>
  /** Bytes from an offset to before `end`, fewer where there are no more; undefined where there is nothing of this name. */
  readRange(name: string, range: { readonly from: number; readonly end: number }): Promise<Buffer | undefined>
  /** The names of everything there; a folder leaves out what stands in folders below it. */
  names(): Promise<readonly string[]>
  /** Does nothing where there is nothing of this name. */
  remove(name: string): Promise<void>
}
