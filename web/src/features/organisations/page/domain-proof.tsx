import { Button } from '@mantine/core'
import { useState } from 'react'
import { CopyText } from '../../../components/copy/copy-text.tsx'
import { Facts } from '../../../components/display/facts.tsx'
import { Failure } from '../../../components/form/failure.tsx'
import { calls } from '../../../lib/api/contract.ts'
import { useAction, useEndpoint } from '../../../lib/query.ts'
import { formatDateTime } from '../../../lib/text/format.ts'
import { useOrganisationMessages } from '../messages.ts'
import classes from './lists.module.css'

const isDomain = (text: string): boolean => /^(?:[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?\.)+[a-z0-9-]{2,63}$/.test(text)

interface Props {
  /** Of the organisation. */
  readonly id: number
  /** As it stands in the form. */
  readonly domain: string
  /** It is the organisation's from now on. */
  readonly onProved: (domain: string) => void
}

/** The record to make, and a button that looks for it. */
const Record = ({ id, domain, onProved }: Props) => {
  const say = useOrganisationMessages()
  const proof = useEndpoint(calls.getDomainProof, { params: { id }, query: { domain } })
  const check = useAction(calls.proveDomain, {
    done: say('domainProved'),
    refresh: [calls.getDomainProof, calls.getOrganisation, calls.getProvisioning],
    onDone: () => onProved(domain),
  })
  if (proof.error !== null && proof.error !== undefined) return <Failure error={proof.error} />
  if (!proof.data) return null
  const { name, value, proved_time: provedTime } = proof.data
  return (
    <section className={classes.proof} aria-label={say('domainRecord')}>
      <p className="muted">{say('domainRecordText')}</p>
      <Facts
        facts={[
          { label: say('recordName'), value: <CopyText text={name} name={say('recordName')} /> },
          { label: say('recordValue'), value: <CopyText text={value} name={say('recordValue')} /> },
          provedTime > 0 && { label: say('recordProved'), value: formatDateTime(provedTime) },
        ]}
      />
      {check.error !== undefined && <Failure error={check.error} />}
      <div>
        <Button
          loading={check.busy}
          onClick={() => void check.submit({ params: { id }, body: { domain } }).catch(() => undefined)}
        >
          {say('domainCheck')}
        </Button>
      </div>
    </section>
  )
}

/** Proves a domain by a record of its DNS, beside the proof by an owner's own address. */
export const DomainProof = (props: Props) => {
  const say = useOrganisationMessages()
  const [open, setOpen] = useState(false)
  if (!isDomain(props.domain)) return null
  if (open) return <Record key={props.domain} {...props} />
  return (
    <div>
      <button type="button" className="text-button" onClick={() => setOpen(true)}>
        {say('domainByRecord')}
      </button>
    </div>
  )
}
