import type { SharedParts } from '../../app/parts.ts'
import { createEgressGuard, type EgressGuard } from '../../lib/security/egress.ts'
import type { WebhookParts } from './webhook.ts'

/** Webhooks speak to web servers, not to whatever else listens on a public address. */
export const webhookEgress = ({ egressAllow, webhookPorts }: SharedParts['config']): EgressGuard =>
  createEgressGuard({ allow: egressAllow, ports: [80, 443, ...webhookPorts] })

/** The ways by which webhooks leave this site: its guard of addresses, and the worker that the operator may have set. */
export const webhookParts = ({
  config,
  options,
  operatorEgress,
}: Pick<SharedParts, 'config' | 'options' | 'operatorEgress'>): WebhookParts => ({
  egress: webhookEgress(config),
  operatorEgress,
  worker() {
    const url = options.get('WorkerUrl')
    return url === '' ? undefined : { url, key: options.get('WorkerValidKey') }
  },
})
