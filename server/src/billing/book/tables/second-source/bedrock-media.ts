import { type SecondSourceRow, source } from './source.ts'

/** Dollars for a picture. */
const pictures = (dollars: number, ids: readonly string[]): SecondSourceRow => ({
  models: ids.flatMap((id) => [id, `us.${id}`]),
  provider: 'aws',
  source,
  rates: { picture: Math.round(dollars * 1_000_000) },
})

/** Embeddings, sound and pictures at Bedrock. */
export const bedrockMediaRows: readonly SecondSourceRow[] = [
  {
    models: ['amazon.titan-embed-text-v2:0', 'amazon.titan-embed-text-v2'],
    provider: 'aws',
    source,
    isCorrection: true,
    rates: { input: 0.02 },
  },
  { models: ['amazon.titan-embed-g1-text-02'], provider: 'aws', source, rates: { input: 0.1 } },
  // Pictures that are sent cost $0.00006 each beside the text; no answer says how many they were.
  { models: ['amazon.titan-embed-image-v1'], provider: 'aws', source, rates: { input: 0.8 } },
  {
    models: ['cohere.embed-english-v3', 'cohere.embed-multilingual-v3'],
    provider: 'aws',
    source,
    rates: { input: 0.1 },
  },
  {
    models: ['us.cohere.embed-v4:0', 'eu.cohere.embed-v4:0', 'global.cohere.embed-v4:0'],
    provider: 'aws',
    source,
    rates: { input: 0.12 },
  },
  {
    models: ['amazon.nova-2-5-sonic'],
    provider: 'aws',
    source,
    rates: { input: 0.33, audio_input: 3, output: 2.75, audio_output: 12 },
  },
  pictures(0.06, ['amazon.nova-canvas-v1:0']),
  pictures(0.008, [
    'amazon.titan-image-generator-v1',
    'amazon.titan-image-generator-v2',
    'amazon.titan-image-generator-v2:0',
  ]),
  pictures(0.04, ['stability.stable-image-core-v1:0', 'stability.stable-image-core-v1:1']),
  pictures(0.14, ['stability.stable-image-ultra-v1:0', 'stability.stable-image-ultra-v1:1']),
  pictures(0.08, ['stability.sd3-large-v1:0', 'stability.sd3-5-large-v1:0', 'stability.stable-style-transfer-v1:0']),
  pictures(0.03, ['stability.stable-fast-upscale-v1:0']),
  pictures(0.06, ['stability.stable-outpaint-v1:0']),
  pictures(0.07, [
    'stability.stable-image-control-sketch-v1:0',
    'stability.stable-image-control-structure-v1:0',
    'stability.stable-image-erase-object-v1:0',
    'stability.stable-image-inpaint-v1:0',
    'stability.stable-image-remove-background-v1:0',
    'stability.stable-image-search-recolor-v1:0',
    'stability.stable-image-search-replace-v1:0',
    'stability.stable-image-style-guide-v1:0',
  ]),
  pictures(0.4, ['stability.stable-conservative-upscale-v1:0']),
  pictures(0.6, ['stability.stable-creative-upscale-v1:0']),
]
