import { parsedJson } from '../../dialects/conversation/json.ts'
import { AppError } from '../../lib/app-error.ts'
import { hasTwins } from '../../lib/json/twin-members.ts'
import { boundaryOf, formParts } from '../forms/form-parts.ts'
import { addNames, noNames } from '../named-models/all-names.ts'
import type { BatchLines } from './batch-lines.ts'
import { type NamedObjects, namedObjects, nothingNamed } from './named-objects.ts'
import { nameText, type ObjectName } from './ports.ts'

/** Names in an upload. `lines` is set for a file whose every line was read: only such files may be batch inputs. */
export interface NamedInUpload {
  readonly names: NamedObjects
  readonly lines: BatchLines | undefined
}

/** Bytes that are read before the event loop runs other calls. */
const atOnce = 1024 * 1024

const lineFeed = 10

/** The parts of an upload: fields and files of a form, or metadata and media (multipart/related). */
export interface UploadedPart {
  readonly name: string
  readonly isFile: boolean
  readonly bytes: Buffer
}

const headEnd = Buffer.from('\r\n\r\n')

/** Parts of multipart/related have no names. */
const relatedParts = (raw: Buffer, contentType: string): readonly UploadedPart[] | undefined => {
  const boundary = boundaryOf(contentType)
  if (boundary === undefined) return undefined
  const mark = Buffer.from(`--${boundary}`, 'latin1')
  const parts: UploadedPart[] = []
  let at = raw.indexOf(mark)
  while (at >= 0 && raw.toString('latin1', at + mark.length, at + mark.length + 2) !== '--') {
    const start = raw.indexOf(headEnd, at) + headEnd.length
    const end = raw.indexOf(mark, at + mark.length)
    if (start < headEnd.length || end < 0) return undefined
    parts.push({ name: '', isFile: parts.length > 0, bytes: raw.subarray(Math.min(start, end), end) })
    at = end
  }
  return parts
}

/** The parts of an upload; undefined where it cannot be parsed. */
export const uploadedParts = (raw: Buffer, contentType: string): readonly UploadedPart[] | undefined =>
  /^multipart\/form-data/i.test(contentType)
    ? formParts(raw, contentType)?.map(({ name, filename, start, end }) => ({
        name: name.replace(/\[\d*\]$/, ''),
        isFile: filename !== undefined,
        bytes: raw.subarray(start, end),
      }))
    : relatedParts(raw, contentType)

/** Collects names by their texts. */
const openNames = () => {
  const named = new Map<string, ObjectName>()
  const alike = new Map<string, ObjectName>()
  return {
    add(names: NamedObjects): void {
      for (const name of names.named) named.set(nameText(name), name)
      for (const name of names.alike) alike.set(nameText(name), name)
    },
    names: (): NamedObjects => ({ named: [...named.values()], alike: [...alike.values()] }),
  }
}

/** Calls `take` with each line that is not empty until it returns false; false then. Yields to other calls meanwhile. */
export const eachLine = async (file: Buffer, take: (line: string) => boolean): Promise<boolean> => {
  let sinceTurn = 0
  for (let at = 0; at < file.length; ) {
    const found = file.indexOf(lineFeed, at)
    const end = found < 0 ? file.length : found
    const text = file
      .toString('utf8', at, end)
      .replace(/^\ufeff/, '')
      .trim()
    if (text !== '' && !take(text)) return false
    sinceTurn += end + 1 - at
    at = end + 1
    if (sinceTurn < atOnce) continue
    sinceTurn = 0
    await new Promise(setImmediate)
  }
  return true
}

/**
 * Reads files as lines of JSON; undefined where a line is not JSON, or repeats a member. Objects in lines count like those of bodies,
 * since the provider executes them as calls.
 */
const readLines = async (files: readonly Buffer[]): Promise<BatchLines | undefined> => {
  const found = openNames()
  const models = noNames()
  for (const file of files) {
    const isRead = await eachLine(file, (text) => {
      const line = parsedJson(text)
      if (line === undefined || typeof line !== 'object' || hasTwins(Buffer.from(text), line)) return false
      found.add(namedObjects(line))
      addNames(line, models)
      return true
    })
    if (!isRead) return undefined
  }
  return { objects: found.names(), models }
}

/** Looks through a file that comes without a form. */
export const namedInFile = async (file: Buffer): Promise<NamedInUpload> => {
  const lines = await readLines([file])
  return { names: lines?.objects ?? nothingNamed, lines }
}

/** Finds the names in an upload. Throws AppError('invalid_request_body') where it cannot be parsed. */
export const namedInUpload = async (raw: Buffer, contentType: string): Promise<NamedInUpload> => {
  const parts = uploadedParts(raw, contentType)
  if (parts === undefined) throw new AppError('invalid_request_body', { params: { detail: 'multipart' } })
  const found = openNames()
  const files = parts.filter(({ isFile }) => isFile)
  const fields = parts
    .filter(({ isFile }) => !isFile)
    .map(({ name, bytes }) => ({ name, text: bytes.toString().trim() }))
  for (const { name, text } of fields) {
    found.add(namedObjects({ [name]: text }))
    found.add(namedObjects(parsedJson(text)))
  }
  // Providers that ask for a purpose take no file with another one as the input of a batch.
  const isInput = fields.every(({ name, text }) => name !== 'purpose' || text === 'batch')
  const lines = isInput && files.length > 0 ? await readLines(files.map(({ bytes }) => bytes)) : undefined
  if (lines !== undefined) found.add(lines.objects)
  return { names: found.names(), lines }
}
