import { idEntry, integer, list, section } from '@tollgate/contract/options/kinds'

const batches = section({
  name: 'batches',
  tab: 'operation',
  title: { zh: '批处理', en: 'Batches' },
  behind: { section: 'drawing', position: 3 },
  options: {
    BatchLinesAtOnce: integer({
      fallback: 8,
      min: 1,
      max: 500,
      label: { zh: '每个批处理的并发请求', en: 'Requests at once per batch' },
      help: { zh: '渠道和密钥的限制仍然有效', en: 'Limits of channels and keys hold beside it' },
    }),
    BatchProcessLinesAtOnce: integer({
      fallback: 32,
      min: 1,
      max: 5000,
      label: { zh: '每个进程的批处理并发请求', en: 'Requests of all batches at once per process' },
    }),
    BatchMostLines: integer({
      fallback: 100_000,
      min: 1,
      max: 1_000_000,
      label: { zh: '每个批处理的请求上限', en: 'Most requests of a batch' },
    }),
    BatchMostOpen: integer({
      fallback: 100,
      min: 1,
      max: 10_000,
      label: { zh: '每个用户未结束的批处理上限', en: 'Most unfinished batches of a user' },
    }),
    BatchProviderChannels: list({
      fallback: [],
      separator: ',',
      each: idEntry,
      label: { zh: '由提供商执行批处理的渠道 ID', en: 'Channels whose provider runs batches (IDs)' },
      help: {
        zh: '提供商有批处理 API 的渠道，按批处理价格计费',
        en: 'Channels of providers with a batch API; lines cost the batch price',
      },
    }),
  },
})

export const sections = [batches] as const
