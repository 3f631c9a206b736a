import { newProvider, valuesOf } from '../../../components/identity-providers/fields.ts'
import { ProviderForm } from '../../../components/identity-providers/form.tsx'
import { calls, type Organisation } from '../../../lib/api/contract.ts'
import { useEndpoint } from '../../../lib/query.ts'

interface Props {
  readonly organisation: Organisation
  /** 0 for a new one. */
  readonly id: number
  readonly onClose: () => void
}

/** Adds an identity provider of the organisation, or changes one; nothing where it is not there. */
export const ProviderSheet = ({ organisation, id, onClose }: Props) => {
  const { data } = useEndpoint(calls.listOrganisationProviders, { params: { id: organisation.id } })
  const provider = data?.items.find((one) => one.id === id)
  if (id !== 0 && provider === undefined) return null
  if (data === undefined) return null
  const initial = provider ? valuesOf(provider) : newProvider(organisation)
  return (
    <ProviderForm
      key={id}
      owner={organisation}
      provider={provider}
      initial={initial}
      provedDomain={data.proved_domain}
      onClose={onClose}
    />
  )
}
