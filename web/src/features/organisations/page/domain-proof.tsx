import { Button } from '@mantine/core'
import { useState } from 'react'
import { CopyText } from '../../../components/copy/copy-text.tsx'
import { Facts } from '../../../components/display/facts.tsx'
import { TimeText, useDayText } from '../../../components/display/time/time-text.tsx'
import { Failure } from '../../../components/form/failure.tsx'
import { calls, type DataOf, type getDomainProof } from '../../../lib/api/contract.ts'
import { useAction, useEndpoint } from '../../../lib/query.ts'
import { useDomainMessages } from './domain-messages.ts'
import classes from './lists.module.css'

type Proof = DataOf<typeof getDomainProof>

const isDomain = (text: string): boolean => /^(?:[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?\.)+[a-z0-9-]{2,63}$/.test(text)

interface Props {
  /** Of the organisation. */
  readonly id: number
  /** As it stands in the form. */
  readonly domain: string
  /** True if it is the organisation's already. */
  readonly isOwn: boolean
  /** It is the organisation's from now on. */
  readonly onProved: (domain: string) => void
}

/** The record to make, and a button that looks for it. */
const Record = ({ id, domain, proof, onProved }: Omit<Props, 'isOwn'> & { readonly proof: Proof }) => {
  const say = useDomainMessages()
  const check = useAction(calls.proveDomain, {
    done: say('domainProved'),
    refresh: [calls.getDomainProof, calls.getOrganisation],
    onDone: () => onProved(domain),
  })
  const { name, value } = proof
  return (
    <>
      <p className="muted">{say('domainRecordText')}</p>
      <Facts
        facts={[
          { label: say('recordName'), value: <CopyText text={name} name={say('recordName')} /> },
          { label: say('recordValue'), value: <CopyText text={value} name={say('recordValue')} /> },
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
    </>
  )
}

/** When the record of a proved domain was seen last, and what happens where it is missing. */
const Seen = ({ proof }: { readonly proof: Proof }) => {
  const say = useDomainMessages()
  const day = useDayText()
  const { proved_time: proved, seen_time: seen, missed_time: missed, ends_time: ends } = proof
  return (
    <>
      {missed > 0 && (
        <p role="status" className={classes.missing}>
          {say('recordMissing', { since: day(missed), until: day(ends) })}
        </p>
      )}
      <Facts
        facts={[
          { label: say('recordProved'), value: <TimeText at={proved} /> },
          { label: say('recordSeen'), value: <TimeText at={seen} relative /> },
        ]}
      />
    </>
  )
}

const Proved = (props: Props) => {
  const { id, domain, isOwn } = props
  const say = useDomainMessages()
  const [isOpen, setOpen] = useState(false)
  const proof = useEndpoint(calls.getDomainProof, { params: { id }, query: { domain } }, { enabled: isOpen || isOwn })
  if (isOpen && proof.error !== null && proof.error !== undefined) return <Failure error={proof.error} />
  const isProved = (proof.data?.proved_time ?? 0) > 0
  const showsRecord = isOpen || (proof.data?.missed_time ?? 0) > 0
  const onProved = (proved: string): void => {
    setOpen(false)
    props.onProved(proved)
  }
  return (
    <section className={classes.proof} aria-label={say('domainRecord')}>
      {proof.data && isProved && <Seen proof={proof.data} />}
      {proof.data && showsRecord && <Record id={id} domain={domain} proof={proof.data} onProved={onProved} />}
      {!showsRecord && (
        <div>
          <button type="button" className="text-button" onClick={() => setOpen(true)}>
            {say(isProved ? 'domainShowRecord' : 'domainByRecord')}
          </button>
        </div>
      )}
    </section>
  )
}

/** Proves a domain by a record of its DNS, beside the proof by an owner's own address. */
export const DomainProof = (props: Props) => (isDomain(props.domain) ? <Proved key={props.domain} {...props} /> : null)
