import { parsedJson } from '../../dialects/conversation/json.ts'
import { AppError } from '../../lib/app-error.ts'
import { type AllNames, addNames, noNames } from '../named-models/all-names.ts'
import { namesInQuery } from '../named-models/model-names-in.ts'
import { type DirectBody, hidesNames, twinDetail } from './direct-fence.ts'
import { eachLine, uploadedParts } from './uploaded-lines.ts'

/** A direct call whose answer is not read. */
interface DirectCall extends DirectBody {
  readonly path: string
  readonly query: string
  /** True where the provider may take parts of a file that were not read as its whole. */
  readonly takesParts: boolean
}

const unread = (detail: string): AppError => new AppError('invalid_request_body', { params: { detail } })

/** Patterns of models in API addresses: Google, Bedrock, Azure, OpenAI's first ones, Replicate, Cloudflare. */
const inPaths: readonly RegExp[] = [
  /\/(?:models|tunedModels)\/([^/:]+):[a-z]/i,
  /\/model\/([^/]+)\//i,
  /\/(?:deployments|engines)\/([^/]+)(?:\/|$)/i,
  /\/models\/([^/]+\/[^/]+)\/predictions$/i,
  /\/ai\/run\/(.+)$/i,
]

const decoded = (text: string): string => {
  try {
    return decodeURIComponent(text)
  } catch {
    return text
  }
}

/** The model in the address of a direct call; undefined where it names none. */
export const modelInPath = (path: string): string | undefined => {
  const found = inPaths.flatMap((pattern) => pattern.exec(path)?.[1] ?? [])[0]
  return found === undefined ? undefined : decoded(found)
}

/** Lines of a batch. One that cannot be read is no call for its provider either, but a member may stand twice in it. */
const addLines = (file: Buffer, names: AllNames): Promise<boolean> =>
  eachLine(file, (text) => {
    const line = parsedJson(text)
    if (typeof line === 'object' && hidesNames(Buffer.from(text), line)) throw unread(twinDetail)
    addNames(line, names)
    return true
  })

const addUpload = async (bytes: Buffer, contentType: string, names: AllNames): Promise<void> => {
  const parts = uploadedParts(bytes, contentType)
  if (parts === undefined) throw unread('multipart')
  const fields = parts.map(({ name, isFile, bytes: value }) => ({ name, isFile, value }))
  const isInput = fields.every(
    ({ name, isFile, value }) => isFile || name !== 'purpose' || value.toString().trim() === 'batch',
  )
  for (const { name, isFile, value } of fields) {
    if (isFile) {
      if (isInput) await addLines(value, names)
      continue
    }
    const text = value.toString().trim()
    const json = parsedJson(text)
    if (typeof json === 'object' && hidesNames(value, json)) throw unread(twinDetail)
    addNames({ [name]: json ?? text }, names)
  }
}

/** Types of bodies that are no JSON at any provider. */
const otherTypes = /^(?:application\/(?:sdp|octet-stream|pdf|zip)|audio\/|image\/|video\/)/i

const isParts = ({ path, upload }: DirectCall): boolean =>
  /\/uploads\/[^/]+\/parts\/?$/i.test(path) ||
  (upload !== undefined &&
    !(upload.offset === '0' && /\bupload\b/i.test(upload.command) && /\bfinalize\b/i.test(upload.command)))

/** Throws AppError('invalid_request_body') where a member has other letters than the one that some providers read it as. */
export const checkLetters = ({ otherCase }: AllNames): void => {
  if (otherCase !== undefined) throw unread(`${otherCase} is read as another member by some providers`)
}

/**
 * Every model that a direct call names: in its address, its body, the fields of its form, or the lines of a batch input. Throws
 * AppError('invalid_request_body') where the provider may read the body in another way.
 */
export const namesInDirectCall = async (call: DirectCall): Promise<AllNames> => {
  const { path, query, bytes, contentType, json } = call
  const names = noNames()
  const inPath = modelInPath(path)
  if (inPath !== undefined) names.models.add(inPath)
  for (const model of namesInQuery(query)) names.models.add(model)
  if (bytes.length === 0) return names
  if (isParts(call) && call.takesParts) throw unread('a file that comes in parts cannot be read')
  const body = json ?? (/^multipart\//i.test(contentType) ? undefined : parsedJson(bytes.toString()))
  if (body !== undefined) {
    if (hidesNames(bytes, body)) throw unread(twinDetail)
    addNames(body, names)
  } else if (/^multipart\//i.test(contentType)) await addUpload(bytes, contentType, names)
  else if (path.toLowerCase().startsWith('/upload/') || otherTypes.test(contentType)) await addLines(bytes, names)
  else throw unread('JSON')
  checkLetters(names)
  return names
}
