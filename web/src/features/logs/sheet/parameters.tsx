import { Facts, FactsHeading } from '../../../components/display/facts.tsx'
import type { LogEntry } from '../../../lib/api/contract.ts'
import { defineMessages } from '../../../lib/i18n.ts'
import { otherOf } from '../other.ts'

const useParameterMessages = defineMessages('log-parameters', {
  zh: { title: '请求参数' },
  en: { title: 'Request parameters' },
})

/** Parameters of the request beside its texts, by the names of its API; empty if it set none, and for older rows. */
export const Parameters = ({ log }: { log: LogEntry }) => {
  const say = useParameterMessages()
  const { parameters } = otherOf(log)
  if (!parameters) return null
  return (
    <>
      <FactsHeading>{say('title')}</FactsHeading>
      <Facts
        facts={Object.entries(parameters).map(([name, value]) => ({
          label: name,
          value: <span className="mono">{String(value)}</span>,
        }))}
      />
    </>
  )
}
