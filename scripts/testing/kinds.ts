/** A kind of proof. */
export interface ProofKind {
  readonly name: string
  /** Paths of its proofs. A proof is of the first kind that fits. */
  readonly holds: RegExp
  /** The proof of this kind that `npm test` runs each time. */
  readonly always: string
}

/** Every kind of proof; the last one holds what no other does. */
export const proofKinds: readonly ProofKind[] = [
  {
    name: 'Pictures of screens',
    holds: /^e2e\/journeys\/screens\//,
    always: 'e2e/journeys/screens/screens-few.proof.test.ts',
  },
  {
    name: 'Journeys in a browser',
    holds: /^e2e\/(journeys|loading)\/|^e2e\/(playback|unknown-usage|sessions|drawn-pictures)\./,
    always: 'e2e/journeys/first-hour.proof.test.ts',
  },
  {
    name: 'Whole screens without a browser',
    holds: /^web\/|^modules\/[^/]+\/web\//,
    always: 'web/src/features/wallet/wallet.proof.test.tsx',
  },
  {
    name: 'Kills, crashes and services that go away',
    holds: /^e2e\/(crash|attacks\/kills)\/|^e2e\/(failover|restore-drill)\.|\/(kills|power-cut|backup)\.proof/,
    always: 'e2e/crash/services-away.proof.test.ts',
  },
  {
    name: 'Several nodes and workers',
    holds:
      /^e2e\/(nodes|two-workers)\.|(two-gateways|two-gateways-race|\w+-nodes|shared-caps|holds-redis|node-clocks)\.proof/,
    always: 'e2e/nodes.proof.test.ts',
  },
  {
    name: 'Official clients and agents',
    holds: /^e2e\/(sdk|sdk-errors|conformance|tool-loops|newer-codex|realtime)\.|^server\/test\/sdks\//,
    always: 'e2e/sdk.proof.test.ts',
  },
  {
    name: 'Inference engines',
    holds: /^(e2e|server\/test)\/engines\//,
    always: 'e2e/engines/llama-server.proof.test.ts',
  },
  {
    name: 'Installing, starting, upgrading and moving in',
    holds: /^e2e\/(installing|upgrades)\/|^e2e\/(start|unbuilt|demo-mode|secret-rotation)\.|\/(upgrade|moving-in)\//,
    always: 'e2e/installing/loaded-at-start.proof.test.ts',
  },
  {
    name: 'Tables and plans on every database engine',
    holds: /^server\/src\/db\/|\/logs\/plans\/|^modules\/archive\//,
    always: 'server/src/db/engines/own-schema.proof.test.ts',
  },
  {
    name: 'Rights: every call by every kind of caller',
    holds: /^server\/src\/rights\//,
    always: 'server/src/rights/members.proof.test.ts',
  },
  {
    name: 'Random cases and races',
    holds: /property|random|race|bursts|streams|every-text|limited-sessions|catalogue|receipts|\/holds\/attacks/,
    always: 'server/src/features/tokens/race.proof.test.ts',
  },
  {
    name: 'Recorded exchanges',
    holds: /wire\.proof/,
    always: 'server/test/clients/wire.proof.test.ts',
  },
  {
    name: 'Attacks and large bodies',
    holds: /^e2e\/attacks\/|\/bodies\//,
    always: 'e2e/attacks/messy-conversations.proof.test.ts',
  },
  {
    name: 'Structure: files of a plain call, removal of modules',
    holds: /^scripts\//,
    always: 'scripts/structure/call-figures.proof.test.ts',
  },
  {
    name: 'Processes',
    holds: /./,
    always: 'e2e/refusals.proof.test.ts',
  },
]

/** The kind of a proof by its path. */
export const kindOfProof = (path: string): ProofKind => {
  const kind = proofKinds.find(({ holds }) => holds.test(path))
  if (kind === undefined) throw new Error(`${path} is of no kind`)
  return kind
}
