import { Select } from '@mantine/core'
import { calls, type OwnProjects } from '../../../lib/api/contract.ts'
import { useSession } from '../../../lib/api/session.ts'
import { useEndpoint } from '../../../lib/query.ts'
import { useTokenMessages } from '../messages.ts'

type Payer = OwnProjects['payers'][number]

/** Projects of the reader's organisations for keys; not asked for users outside of organisations. */
export const useOwnProjects = () =>
  useEndpoint(calls.getOwnProjects, {}, { staleTimeMs: 5000, enabled: useSession()?.organisations === 'belongs' })

const payerOf = ({ organisation_id, project_id }: Payer): string => `${organisation_id}:${project_id}`

/** The organisation and project of a chosen payer; undefined for the own wallet. */
export const readPayer = (value: string): { organisation: number; project: number } | undefined => {
  const [, organisation, project] = /^(\d+):(\d+)$/.exec(value) ?? []
  return organisation === undefined ? undefined : { organisation: Number(organisation), project: Number(project) }
}

/**
 * Payer of a new key: the own wallet, or an organisation through a project. Empty if there is no choice; reserves its place while
 * loading.
 */
export const PayerSelect = (props: { value: string; onChange: (payer: string) => void }) => {
  const say = useTokenMessages()
  const { data, isLoading } = useOwnProjects()
  if (!isLoading && !data?.payers.length) return null
  return (
    <Select
      label={say('payer')}
      description={say(props.value === '' ? 'payerOwnHint' : 'payerProjectHint')}
      inputWrapperOrder={['label', 'input', 'description', 'error']}
      data={[
        { value: '', label: say('ownWallet') },
        ...(data?.payers ?? []).map((payer) => ({
          value: payerOf(payer),
          label: `${payer.organisation} · ${payer.project}`,
        })),
      ]}
      allowDeselect={false}
      disabled={isLoading}
      value={props.value}
      onChange={(value) => props.onChange(value ?? '')}
    />
  )
}
