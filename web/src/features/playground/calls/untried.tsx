import { Button } from '@mantine/core'
import { Link } from '@tanstack/react-router'
import { FirstCalls } from '../../../components/first-calls/first-calls.tsx'
import { mediaSnippets } from '../../../components/first-calls/media-snippets.ts'
import type { ModelKind } from '../../../lib/api/contract.ts'
import { usePlaygroundMessages } from '../messages.ts'
import classes from './calls.module.css'

/** Stands in the place of the composer for a model that the playground has no call for: says so, and how it is called. */
export const Untried = ({ model, kind }: { model: string; kind: ModelKind }) => {
  const say = usePlaygroundMessages()
  return (
    <section className={classes.untried} aria-label={say('untried', { model })}>
      <p>{say('untried', { model })}</p>
      {mediaSnippets(kind) && <FirstCalls model={model} apiKey="sk-…" kind={kind} title="" />}
      <Button component={Link} to="/pricing/model/$" params={{ _splat: model } as never}>
        {say('toModel')}
      </Button>
    </section>
  )
}
