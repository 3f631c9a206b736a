/** Models that OpenAI answers at `/v1/responses` only (developers.openai.com/api/docs/models). */
export const responsesOnly = (model: string): boolean =>
  /^(o\d+-pro|o\d.*-deep-research|gpt-5(\.\d+)?-pro|(gpt-5(\.\d+)?-)?codex|computer-use-preview)/.test(model)
