/** Names offered when a channel of this type is made. */
export const models: readonly string[] = ['jina-clip-v1', 'jina-reranker-v2-base-multilingual']
