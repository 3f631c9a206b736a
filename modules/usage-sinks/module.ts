import type { ModuleData } from '@tollgate/contract/modules/module-data'

/** Usage of each call, sent in batches to a webhook, to a collector of OpenTelemetry, or into files. */
export const module = {
  areas: [['/api/usage_sinks', 'settings']],
  logEvents: {
    usage_not_sent: 'Usage could not be sent to a sink; it is tried again, and nothing is left out.',
  },
  errors: {},
  switches: { off: { UsageWebhookAddress: '' }, on: { UsageWebhookAddress: 'https://usage.example' } },
} as const satisfies ModuleData
