import { compatible } from '../dialects/openai.ts'

// Resellers of OpenAI's API. Channels of these types work; the console does not offer them for new ones.

export const openaimax = compatible({
  type: 6,
  name: 'OpenAIMax',
  label: { zh: 'OpenAIMax', en: 'OpenAIMax' },
  color: 'grey',
  baseUrl: 'https://api.openaimax.com',
  owner: 'custom',
  models: [],
})

export const ohmygpt = compatible({
  type: 7,
  name: 'OhMyGPT',
  label: { zh: 'OhMyGPT', en: 'OhMyGPT' },
  color: 'grey',
  baseUrl: 'https://api.ohmygpt.com',
  owner: 'custom',
  models: [],
})

export const ails = compatible({
  type: 9,
  name: 'AILS',
  label: { zh: 'AILS', en: 'AILS' },
  color: 'grey',
  baseUrl: 'https://api.caipacity.com',
  owner: 'custom',
  models: [],
})

export const aiproxy = compatible({
  type: 10,
  name: 'AIProxy',
  label: { zh: 'AIProxy', en: 'AIProxy' },
  color: 'grey',
  baseUrl: 'https://api.aiproxy.io',
  owner: 'custom',
  models: [],
})

export const api2gpt = compatible({
  type: 12,
  name: 'API2GPT',
  label: { zh: 'API2GPT', en: 'API2GPT' },
  color: 'grey',
  baseUrl: 'https://api.api2gpt.com',
  owner: 'custom',
  models: [],
})

export const aigc2d = compatible({
  type: 13,
  name: 'AIGC2D',
  label: { zh: 'AIGC2D', en: 'AIGC2D' },
  color: 'grey',
  baseUrl: 'https://api.aigc2d.com',
  owner: 'custom',
  models: [],
})
