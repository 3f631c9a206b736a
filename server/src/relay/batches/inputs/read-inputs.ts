import {
  isObject,
  type JsonObject,
  membersOf,
  objectsOf,
  parsedJson,
  textOf,
} from '../../../dialects/conversation/json.ts'
import { eachLine, uploadedParts } from '../../direct/uploaded-lines.ts'
import type { BatchInput } from '../ports.ts'
import { InputSum } from './input-sum.ts'

/** Bytes at the beginning of a file that decide whether it may be a batch input. */
const looked = 4096

const mayBeInput = (file: Buffer): boolean => /^\ufeff?\s*\{/.test(file.toString('utf8', 0, looked))

const addFile = async (file: Buffer, sum: InputSum): Promise<boolean> =>
  mayBeInput(file) &&
  eachLine(file, (text) => {
    const line = parsedJson(text)
    if (!isObject(line)) return false
    sum.add(line, Buffer.byteLength(text))
    return true
  })

/** The lines of an upload that can be the input of batches; undefined where it is none, as far as it can be read. */
export const inputOfUpload = async (bytes: Buffer, contentType: string): Promise<readonly BatchInput[] | undefined> => {
  const sum = new InputSum()
  if (!/^multipart\//i.test(contentType)) return (await addFile(bytes, sum)) ? sum.all : undefined
  const parts = uploadedParts(bytes, contentType) ?? []
  const isBatch = parts.every(
    ({ name, isFile, bytes: value }) => isFile || name !== 'purpose' || value.toString().trim() === 'batch',
  )
  if (!isBatch) return undefined
  for (const { isFile, bytes: file } of parts) if (isFile && !(await addFile(file, sum))) return undefined
  return sum.all
}

/** Lines of a request that creates a batch, or adds to one. */
export interface StatedInputs {
  readonly inputs: readonly BatchInput[]
  /** Ids of files with more lines. */
  readonly files: readonly string[]
  /** The model of lines that name none; empty where the request names none either. */
  readonly model: string
}

const filesIn = (...values: readonly unknown[]): readonly string[] =>
  values.flat().filter((value): value is string => typeof value === 'string' && value !== '')

/** Inputs of a body; `inPath` is the model in the address. */
export const inputsIn = (body: JsonObject, inPath: string): StatedInputs => {
  const batch = membersOf(body.batch)
  const config = membersOf(batch.inputConfig ?? batch.input_config)
  const inlined = membersOf(config.requests)
  const sum = new InputSum()
  const lists = [body.requests, body.batch_requests, inlined.requests]
  for (const line of lists.flatMap(objectsOf)) sum.add(line, Buffer.byteLength(JSON.stringify(line)))
  return {
    inputs: sum.all,
    files: filesIn(body.input_file_id, body.input_files, config.fileName, config.file_name),
    model: inPath || textOf(body.model) || textOf(batch.model).replace(/^models\//, ''),
  }
}
