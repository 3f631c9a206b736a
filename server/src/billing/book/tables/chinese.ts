import { type PriceRow, yuan } from '../price-table.ts'

const bigmodel = 'https://open.bigmodel.cn/pricing (2025-04)'
const ark = 'https://www.volcengine.com/docs/82379 (2026-11)'
const arkOf2024 = 'https://www.volcengine.com/docs/82379 (2024-05)'
const qianfan = 'https://cloud.baidu.com/doc/WENXINWORKSHOP/s/hlrk4akp7 (2025-03)'
const freeQianfan = 'https://cloud.baidu.com/doc/WENXINWORKSHOP/s/hlrk4akp7 (2024-05)'
const hunyuan = 'https://cloud.tencent.com/document/product/1729/97731 (2025-04)'
const minimax = 'https://api.minimax.chat/document/price (2024-06)'
const spark = 'https://xinghuo.xfyun.cn/sparkapi (2024-06)'

/** Models of Chinese makers, most of which state their prices in yuan. */
export const chineseRows: readonly PriceRow[] = [
  {
    models: ['glm-4', 'glm-4-0520', 'glm-4-alltools'],
    provider: 'zhipuai',
    source: bigmodel,
    rates: { input: yuan(100), output: yuan(100) },
  },
  { models: ['glm-4v'], provider: 'zhipuai', source: bigmodel, rates: { input: yuan(50), output: yuan(50) } },
  {
    models: ['glm-4v-plus', 'glm-4v-plus-0111'],
    provider: 'zhipuai',
    source: bigmodel,
    rates: { input: yuan(4), output: yuan(4) },
  },
  { models: ['glm-3-turbo'], provider: 'zhipuai', source: bigmodel, rates: { input: yuan(5), output: yuan(5) } },
  {
    models: ['glm-4-flash', 'glm-4-flash-250414'],
    provider: 'zhipuai',
    source: bigmodel,
    rates: { input: yuan(0), output: yuan(0) },
  },
  {
    models: ['doubao-seed-2-0-code-preview-260215', 'doubao-seed-2-0-pro-260215'],
    provider: 'volcengine',
    source: ark,
    rates: { input: 0.46, output: 2.3 },
    contexts: [
      { above: 32000, rates: { input: 0.7, output: 3.5 } },
      { above: 128000, rates: { input: 1.4, output: 7 } },
    ],
  },
  {
    models: ['doubao-seed-2-0-lite-260215'],
    provider: 'volcengine',
    source: ark,
    rates: { input: 0.087, output: 0.52 },
    contexts: [
      { above: 32000, rates: { input: 0.13, output: 0.78 } },
      { above: 128000, rates: { input: 0.26, output: 1.6 } },
    ],
  },
  {
    models: ['doubao-seed-2-0-mini-260215'],
    provider: 'volcengine',
    source: ark,
    rates: { input: 0.029, output: 0.29 },
    contexts: [
      { above: 32000, rates: { input: 0.058, output: 0.58 } },
      { above: 128000, rates: { input: 0.12, output: 1.2 } },
    ],
  },
  {
    models: ['doubao-seed-2-1-lite-260915'],
    provider: 'volcengine',
    source: ark,
    rates: { input: 0.115, cache_read: 0.023, output: 0.388126 },
  },
  {
    models: ['doubao-seed-2-1-pro-260628', 'doubao-seed-2-1-pro-260915'],
    provider: 'volcengine',
    source: ark,
    rates: { input: 0.8625, cache_read: 0.1725, output: 4.3125 },
  },
  {
    models: ['doubao-seed-2-1-turbo-260628'],
    provider: 'volcengine',
    source: ark,
    rates: { input: 0.43125, cache_read: 0.08625, output: 2.15625 },
  },
  {
    models: ['doubao-pro-32k', 'doubao-pro-4k'],
    provider: 'volcengine',
    source: arkOf2024,
    rates: { input: yuan(0.8), output: yuan(2) },
  },
  {
    models: ['doubao-pro-128k'],
    provider: 'volcengine',
    source: arkOf2024,
    rates: { input: yuan(5), output: yuan(9) },
  },
  {
    models: ['doubao-lite-32k', 'doubao-lite-4k'],
    provider: 'volcengine',
    source: arkOf2024,
    rates: { input: yuan(0.3), output: yuan(0.6) },
  },
  {
    models: ['doubao-lite-128k'],
    provider: 'volcengine',
    source: arkOf2024,
    rates: { input: yuan(0.8), output: yuan(1) },
  },
  {
    models: ['ernie-4.0-8k', 'ernie-4.0-8k-latest', 'ernie-4.0-8k-preview'],
    provider: 'baidu',
    source: qianfan,
    rates: { input: yuan(30), output: yuan(90) },
  },
  {
    models: ['ernie-4.0-turbo-8k*', 'ernie-4.0-turbo-128k'],
    provider: 'baidu',
    source: qianfan,
    rates: { input: yuan(20), output: yuan(60) },
  },
  {
    models: ['ernie-3.5-8k', 'ernie-3.5-8k-preview', 'ernie-3.5-128k'],
    provider: 'baidu',
    source: qianfan,
    rates: { input: yuan(0.8), output: yuan(2) },
  },
  {
    models: ['ernie-speed-pro-128k'],
    provider: 'baidu',
    source: qianfan,
    rates: { input: yuan(0.3), output: yuan(0.6) },
  },
  {
    models: ['ernie-lite-pro-128k'],
    provider: 'baidu',
    source: qianfan,
    rates: { input: yuan(0.2), output: yuan(0.4) },
  },
  {
    models: [
      'ernie-speed-8k',
      'ernie-speed-128k',
      'ernie-lite-8k',
      'ernie-lite-8k-0922',
      'ernie-lite-8k-0308',
      'ernie-tiny-8k',
    ],
    provider: 'baidu',
    source: freeQianfan,
    rates: { input: yuan(0), output: yuan(0) },
  },
  { models: ['hunyuan-lite'], provider: 'tencent', source: hunyuan, rates: { input: yuan(0), output: yuan(0) } },
  { models: ['hunyuan-standard'], provider: 'tencent', source: hunyuan, rates: { input: yuan(0.8), output: yuan(2) } },
  {
    models: ['hunyuan-standard-256k'],
    provider: 'tencent',
    source: hunyuan,
    rates: { input: yuan(0.5), output: yuan(2) },
  },
  { models: ['hunyuan-pro'], provider: 'tencent', source: hunyuan, rates: { input: yuan(30), output: yuan(100) } },
  { models: ['abab6.5-chat'], provider: 'minimax', source: minimax, rates: { input: yuan(30), output: yuan(30) } },
  { models: ['abab6.5s-chat'], provider: 'minimax', source: minimax, rates: { input: yuan(1), output: yuan(1) } },
  { models: ['abab6-chat'], provider: 'minimax', source: minimax, rates: { input: yuan(100), output: yuan(100) } },
  { models: ['abab5.5-chat'], provider: 'minimax', source: minimax, rates: { input: yuan(15), output: yuan(15) } },
  { models: ['abab5.5s-chat'], provider: 'minimax', source: minimax, rates: { input: yuan(5), output: yuan(5) } },
  { models: ['sparkdesk'], provider: 'xunfei', source: spark, rates: { input: yuan(18), output: yuan(18) } },
  {
    models: ['ernie-char-8k', 'ernie-char-fiction-8k'],
    provider: 'baidu',
    source: qianfan,
    rates: { input: yuan(4), output: yuan(8) },
  },
  { models: ['ernie-novel-8k'], provider: 'baidu', source: qianfan, rates: { input: yuan(40), output: yuan(120) } },
  { models: ['hunyuan-t1-latest'], provider: 'tencent', source: hunyuan, rates: { input: yuan(1), output: yuan(4) } },
  {
    models: ['hunyuan-turbos-latest'],
    provider: 'tencent',
    source: hunyuan,
    rates: { input: yuan(0.8), output: yuan(2) },
  },
  {
    models: ['hunyuan-turbo', 'hunyuan-turbo-latest'],
    provider: 'tencent',
    source: hunyuan,
    rates: { input: yuan(2.4), output: yuan(9.6) },
  },
  { models: ['hunyuan-large'], provider: 'tencent', source: hunyuan, rates: { input: yuan(4), output: yuan(12) } },
]
