/** Memory of an open SQLite file. */
export interface FileMemory {
  /** Threads for reading, each of which takes about 9 MB besides its cache. */
  readonly readers: number
  /** Pages that the writer keeps, KiB. */
  readonly writerCache: number
  /** Pages that each reader keeps, KiB. */
  readonly readerCache: number
}

const mebibyte = 1024 * 1024

/** `limitBytes` is the memory of the machine or the container; the steps are those of `memorySettings`. */
export const fileMemoryFor = (limitBytes: number): FileMemory => {
  if (limitBytes <= 320 * mebibyte) return { readers: 1, writerCache: 8 * 1024, readerCache: 4 * 1024 }
  if (limitBytes <= 768 * mebibyte) return { readers: 2, writerCache: 16 * 1024, readerCache: 8 * 1024 }
  return { readers: 2, writerCache: 32 * 1024, readerCache: 16 * 1024 }
}
