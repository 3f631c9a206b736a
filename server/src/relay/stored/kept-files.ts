import type { Maker, Reader } from '../reader.ts'

/** A file that a key stores at the gateway. */
export interface KeptFile {
  /** `file-` and letters of lower case or digits. */
  readonly id: string
  readonly maker: Maker
  readonly filename: string
  readonly purpose: string
  readonly bytes: number
  readonly contentType: string
  /** Unix seconds. */
  readonly createdAt: number
  /** Unix seconds; 0 for never. */
  readonly expiresAt: number
}

export interface NewKeptFile extends Pick<KeptFile, 'maker' | 'filename' | 'purpose' | 'contentType'> {
  /** Unix seconds. The days of the options bound it, and are the default. */
  readonly expiresAt?: number | undefined
  /** A file of the same payer with this id is replaced. Default: a new one. */
  readonly id?: string | undefined
  /** Called when all bytes are written, for what clients send behind them. Nothing is stored where it throws. `createdAt` is in unix seconds. */
  readonly late?: (createdAt: number) => Promise<Partial<Pick<NewKeptFile, 'purpose' | 'expiresAt'>>>
}

/**
 * Purposes with a dot at their beginning are those of unfinished uploads and their parts: `list` leaves them out unless it names one,
 * and clients must not read them as files.
 */
export const isUploading = ({ purpose }: Pick<KeptFile, 'purpose'>): boolean => purpose.startsWith('.')

export interface KeptFilePage {
  /** Id of the file before the first of the page. */
  readonly after?: string | undefined
  /** Id of the file behind the last of the page; the page then holds those that are next to it. */
  readonly before?: string | undefined
  readonly limit: number
  readonly order: 'asc' | 'desc'
  readonly purpose?: string | undefined
}

/** Stores files of keys, encrypted, where every node reads them. */
export interface KeptFiles {
  /**
   * Stores a file as its bytes come; it is visible once all are written.
   * @throws AppError `kept_files_off`, `kept_file_too_large`, `kept_files_full`, `kept_files_unavailable`; the error of `bytes` where that fails. Nothing is stored then.
   */
  create(file: NewKeptFile, bytes: AsyncIterable<Uint8Array>): Promise<KeptFile>
  /** Undefined for one that another key's owner made, that has expired or that does not exist. */
  find(id: string, reader: Reader): Promise<KeptFile | undefined>
  /** Bytes of a file from an offset. The iteration throws where the file is deleted meanwhile, and AppError where its bytes cannot be read. */
  open(file: Pick<KeptFile, 'id'>, from?: number): AsyncIterable<Buffer>
  /** Files that a key reads. Throws AppError `kept_file_not_found` where `after` or `before` is none. */
  list(reader: Reader, page: KeptFilePage): Promise<{ readonly files: readonly KeptFile[]; readonly hasMore: boolean }>
  /** False where `find` finds none. */
  remove(id: string, reader: Reader): Promise<boolean>
}
