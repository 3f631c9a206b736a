/** Mistral completes what stands between two texts at a path of its own (docs.mistral.ai/api/endpoint/fim). */
export const mistralInfill = { path: '/v1/fim/completions', form: 'chat' } as const
