import { importPartBytes } from 'virtual:contract'
import { call } from '#web/lib/api/api.ts'
import { calls } from '#web/lib/api/contract.ts'

const textOf = (part: Blob): Promise<string> =>
  new Promise((resolve, reject) => {
    const reader = new FileReader()
    reader.onload = () => resolve(String(reader.result).replace(/^[^,]*,/, ''))
    reader.onerror = () => reject(reader.error ?? new Error('unreadable'))
    reader.readAsDataURL(part)
  })

/** Sends a file part by part and answers its id. */
export const uploadFile = async (file: File, progress: (bytes: number) => void): Promise<string> => {
  let id = ''
  for (let offset = 0; offset < file.size || offset === 0; offset += importPartBytes) {
    const data = await textOf(file.slice(offset, offset + importPartBytes))
    const answer = await call(calls.uploadSiteImport, { body: { id, offset, data } })
    id = answer.id
    progress(Math.min(file.size, offset + importPartBytes))
  }
  return id
}
