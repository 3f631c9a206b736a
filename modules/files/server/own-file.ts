import { AppError } from '#server/lib/app-error.ts'
import type { Reader } from '#server/relay/reader.ts'
import { isUploading, type KeptFile, type KeptFiles } from '#server/relay/stored/kept-files.ts'

/** A file that a caller reads. Throws AppError('kept_file_not_found') for those of others as for unknown ones. */
export const ownFile = async (files: Pick<KeptFiles, 'find'>, id: string, caller: Reader): Promise<KeptFile> => {
  const file = await files.find(id, caller)
  if (file === undefined || isUploading(file)) throw new AppError('kept_file_not_found', { params: { id } })
  return file
}

/** Deletes a file. Throws AppError('kept_file_not_found') like `ownFile`. */
export const removeOwnFile = async (
  files: Pick<KeptFiles, 'find' | 'remove'>,
  id: string,
  caller: Reader,
): Promise<void> => {
  await ownFile(files, id, caller)
  await files.remove(id, caller)
}
