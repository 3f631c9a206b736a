import { Button } from '@mantine/core'
import { useOpenFirstSteps } from '../../lib/open-first-steps.ts'
import { usePersonalMessages } from './messages.ts'
import { Section } from './section.tsx'

/** Shows the first steps above the keys again, until they are done or dismissed. */
export const FirstSteps = () => {
  const say = usePersonalMessages()
  const open = useOpenFirstSteps()
  return (
    <Section id="guide" title={say('guide')}>
      <p className="muted">{say('guideText')}</p>
      <div>
        <Button onClick={open}>{say('guideShow')}</Button>
      </div>
    </Section>
  )
}
