import { onFirstUse, packageOnUse } from '../../lib/on-first-use.ts'

const codecs = packageOnUse<typeof import('@smithy/eventstream-codec')>('@smithy/eventstream-codec')
const texts = packageOnUse<typeof import('@smithy/util-utf8')>('@smithy/util-utf8')

/** Reads and writes the messages of AWS's event streams. */
export const eventStreamCodec = onFirstUse(() => new (codecs().EventStreamCodec)(texts().toUtf8, texts().fromUtf8))
