/** LiteLLM's public table (MIT), read in November 2026: for models that the catalogue does not have yet. */
export const source = 'https://github.com/BerriAI/litellm/blob/main/model_prices_and_context_window.json (2026-11)'
