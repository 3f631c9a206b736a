import type { JsonObject } from '../../dialects/conversation/json.ts'
import type { Form, RelayCall } from '../call.ts'
import { withFormField } from '../forms/form-parts.ts'
import { headerText } from '../upstream/upstream.ts'
import type { ResponseHead } from './exchange.ts'
import { PassthroughExchange, type PassthroughParts } from './passthrough.ts'
import { passthroughOf } from './passthrough-dialect.ts'

/** An upload keeps its bytes but for the name of its model; its answer goes through. */
class UploadExchange extends PassthroughExchange {
  /** Transcripts may be requested as subtitles or as plain text. */
  protected override readPart(bytes: Buffer, head: ResponseHead): JsonObject | undefined {
    const isText =
      this.parts.call.endpoint === 'transcripts' && !headerText(head.headers, 'content-type').includes('json')
    return isText ? { text: bytes.toString() } : super.readPart(bytes, head)
  }
}

/** Exchange that forwards an upload, with the channel's name of the model in its form. */
export const uploadExchange = (
  call: RelayCall,
  { contentType }: Form,
  channel: PassthroughParts['channel'],
  model: string,
): UploadExchange => {
  const { raw, path, query, accept } = call
  const body = call.body.model === model ? raw : withFormField(raw, contentType, 'model', model)
  const request = { model, path, query, accept, contentType, body }
  return new UploadExchange({ call, channel, dialect: passthroughOf(call), request })
}
