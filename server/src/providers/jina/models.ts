/** Models that the console offers for a new channel of this type. */
export const models: readonly string[] = ['jina-clip-v1', 'jina-reranker-v2-base-multilingual']
