import { type JsonObject, objectsOf, textIn } from '../../../dialects/conversation/json.ts'
import { createUnsupportedFields } from '../../../dialects/conversation/unsupported-fields.ts'
import type { FollowTools } from '../../../dialects/media/following.ts'
import { type InputPicture, invalidPictures, readPictures, writePictures } from '../../../dialects/media/pictures.ts'
import type { ModelOptions, Provider } from '../../../providers/provider.ts'
import type { RelayCall } from '../../call.ts'
import { formParts } from '../../forms/form-parts.ts'
import { isEdit, isVariation } from '../../usage/pictures.ts'
import type { AdaptedAnswer, MediaAdapter } from './media-adapter.ts'

/** The uploaded pictures that are to be changed; OpenAI takes one or several under the same name. */
const uploaded = ({ form, raw }: RelayCall): readonly InputPicture[] => {
  if (form === undefined) return []
  return (formParts(raw, form.contentType) ?? [])
    .filter(({ name, filename }) => filename !== undefined && (name === 'image' || name === 'image[]'))
    .map(({ type, start, end }) => ({ bytes: raw.subarray(start, end), type: type || 'image/png' }))
}

/** The same answer with bytes where there were addresses: those are the provider's, and end soon. */
const withBytes = async (answer: AdaptedAnswer, tools: FollowTools): Promise<AdaptedAnswer> => {
  const data = await Promise.all(
    objectsOf(answer.json.data).map(async ({ url, ...rest }): Promise<JsonObject> => {
      const address = textIn(url)
      if (address === undefined || rest.b64_json !== undefined) return { url, ...rest }
      return { b64_json: (await tools.picture(address)).toString('base64'), ...rest }
    }),
  )
  return { ...answer, json: { ...answer.json, data } }
}

/** Pictures in a provider's own API; changed ones only where it changes some. */
export const pictureAdapter = (
  call: RelayCall,
  { pictures, otherCalls }: Provider,
  model: string,
  options: ModelOptions,
): MediaAdapter | undefined => {
  if (isVariation(call)) return undefined
  const path = isEdit(call) ? pictures?.edits : pictures?.path
  if (pictures === undefined || path === undefined) return undefined
  const images = uploaded(call)
  if (isEdit(call) && images.length === 0) {
    if (otherCalls) return undefined
    throw invalidPictures('pictures that are to be changed are uploaded as image in multipart/form-data')
  }
  const dialect = pictures.dialect(model, options)
  const request = readPictures(call.body, model, images)
  const fields = createUnsupportedFields()
  const body = dialect.write(request, fields)
  const read = (json: JsonObject): AdaptedAnswer => {
    const answer = dialect.read(json, request)
    return { json: writePictures(answer, Math.floor(call.startedAt / 1000)), usage: answer.usage, calls: 1 }
  }
  const { errorOf, bare, follow } = dialect
  const complete = request.format === 'b64_json' ? withBytes : undefined
  return { unsupported: fields.list(), body, path, bare, follow, read, complete, errorOf }
}
