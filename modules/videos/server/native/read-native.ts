import { ownMember } from '@tollgate/contract/own-member'
import type { JsonObject } from '#server/dialects/conversation/json.ts'
import { isStorable, shortText } from '#server/lib/bounded-text.ts'
import type { NativeBegin, VideoProvider } from '../providers/video-provider.ts'
import { jsonBody, type ReadVideo } from '../requests/read-request.ts'
import { invalidMember, missing } from './members.ts'

/** A request in the shape of its provider. */
export interface NativeVideo extends ReadVideo {
  readonly provider: VideoProvider
  readonly begin: NativeBegin
  readonly body: JsonObject
  /** True where the model is the provider's own name: no mapping and no override of the channel applies. */
  readonly asIs: boolean
}

/** UTF-16 units of a model name, of a text that may be searched for words, and of a shown member. */
const [longestModel, longestText, longestName] = [255, 32_000, 60]

/** Reads a request in the shape of its provider. Throws AppError where it cannot be priced. */
export const readNativeVideo = (
  raw: Buffer,
  { provider, begin, asIs }: Pick<NativeVideo, 'provider' | 'begin' | 'asIs'>,
): NativeVideo => {
  const body = jsonBody(raw)
  // Panels name the model in a member of their own.
  const other = asIs ? undefined : ownMember(body, 'model')
  const model = ownMember(body, begin.model) ?? other
  if (typeof model !== 'string' || !isStorable(model, longestModel)) return missing(begin.model)
  for (const name of Object.keys(body))
    if (name !== begin.model && !begin.members.has(name) && !(name === 'model' && !asIs))
      throw invalidMember(shortText(name, longestName), 'this call has no price with it')
  return { provider, begin, body, asIs, model, request: begin.read(body, model) }
}

/** The request as it is sent: parsed and printed anew, so that its provider reads the same members that the price was computed from. */
export const nativeBody = ({ begin, body }: NativeVideo, upstreamModel: string): Buffer => {
  const { model: _, ...more } = body
  return Buffer.from(JSON.stringify({ ...more, [begin.model]: upstreamModel }))
}

/** All texts of a request that may be searched for blocked words; pictures are not among them. */
export const nativeText = ({ body }: NativeVideo): string =>
  JSON.stringify(body, (_, value) => (typeof value === 'string' && value.length > longestText ? '' : value))
