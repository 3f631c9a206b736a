import { address, choice, secret, section, text } from '@tollgate/contract/options/kinds'

const usageSinks = section({
  name: 'usageSinks',
  tab: 'operation',
  title: { zh: '用量推送', en: 'Usage sinks' },
  behind: { section: 'monitoring', position: 2 },
  options: {
    UsageWebhookAddress: address({
      fallback: '',
      label: { zh: 'Webhook 地址', en: 'Webhook address' },
      help: { zh: '按顺序分批推送每次调用的用量', en: 'Gets the usage of each call, in batches and in order' },
    }),
    UsageWebhookSecret: secret({
      label: { zh: 'Webhook 密钥', en: 'Webhook secret' },
    }),
    UsageOtlpAddress: address({
      fallback: '',
      label: { zh: 'OTLP 地址', en: 'OTLP address' },
      help: { zh: '日志发送到此地址的 /v1/logs', en: 'Usage goes to its /v1/logs as log records' },
    }),
    UsageOtlpHeaders: secret({
      label: { zh: 'OTLP 请求头', en: 'OTLP headers' },
    }),
    UsageObjectsPlace: text({
      fallback: '',
      label: { zh: '用量文件位置', en: 'Place of usage files' },
      help: { zh: 's3://bucket/prefix 或文件夹', en: 's3://bucket/prefix, or a folder' },
    }),
    UsageObjectsFormat: choice({
      fallback: 'jsonl',
      choices: [
        { value: 'jsonl', label: { zh: 'JSON 行（gzip）', en: 'JSON lines (gzip)' } },
        { value: 'parquet', label: { zh: 'Parquet', en: 'Parquet' } },
      ],
      label: { zh: '用量文件格式', en: 'Format of usage files' },
      help: { zh: 'Parquet 需要可选包 @duckdb/node-api', en: 'Parquet needs the optional package @duckdb/node-api' },
    }),
  },
})

export const sections = [usageSinks] as const
