import { address, choice, secret, section, text } from '@tollgate/contract/options/kinds'

const usageSinks = section({
  name: 'usageSinks',
  tab: 'operation',
  title: { zh: '用量导出', en: 'Usage export' },
  behind: { section: 'monitoring', position: 2 },
  options: {
    UsageWebhookAddress: address({
      fallback: '',
      label: { zh: 'Webhook URL', en: 'Webhook URL' },
      help: { zh: '按顺序分批接收每次调用的用量', en: 'Receives usage of every call in ordered batches' },
    }),
    UsageWebhookSecret: secret({
      label: { zh: 'Webhook 密钥', en: 'Webhook secret' },
    }),
    UsageOtlpAddress: address({
      fallback: '',
      label: { zh: 'OTLP 端点', en: 'OTLP endpoint' },
      help: { zh: '以日志记录形式发送到 /v1/logs', en: 'Sent as log records to /v1/logs' },
    }),
    UsageOtlpHeaders: secret({
      label: { zh: 'OTLP 请求头', en: 'OTLP headers' },
    }),
    UsageObjectsPlace: text({
      fallback: '',
      label: { zh: '文件存放位置', en: 'File destination' },
      help: { zh: 's3://bucket/prefix 或本地目录', en: 's3://bucket/prefix or a local folder' },
    }),
    UsageObjectsFormat: choice({
      fallback: 'jsonl',
      choices: [
        { value: 'jsonl', label: { zh: 'JSON Lines（gzip）', en: 'JSON Lines (gzip)' } },
        { value: 'parquet', label: { zh: 'Parquet', en: 'Parquet' } },
      ],
      label: { zh: '文件格式', en: 'File format' },
      help: {
        zh: 'Parquet 需要安装可选包 @duckdb/node-api',
        en: 'Parquet requires the optional package @duckdb/node-api',
      },
    }),
  },
})

export const sections = [usageSinks] as const
