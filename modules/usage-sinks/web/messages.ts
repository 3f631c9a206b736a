import { defineMessages } from '#web/lib/i18n.ts'

/** Words of the sinks of usage. */
export const useSinkMessages = defineMessages('usage-sinks', {
  zh: {
    sinks: '用量导出',
    sink_webhook: 'Webhook',
    sink_otlp: 'OTLP',
    sink_objects: '文件',
    sinkSent: '已发送 {{count}}',
    sinkWaiting: '待发送 {{count}}',
  },
  en: {
    sinks: 'Usage export',
    sink_webhook: 'Webhook',
    sink_otlp: 'OTLP',
    sink_objects: 'Files',
    sinkSent: '{{count}} sent',
    sinkWaiting: '{{count}} waiting',
  },
})
