// Words about passing, gates, ranks, shares, and times, at and beside each border. Without a browser.
import assert from 'node:assert/strict'
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, test } from 'node:test'
import './support/tsx.ts'
import type { Schemas } from '../src/shared/api.ts'

const source = join(import.meta.dirname, '../src/app')
const read = (path: string) => readFileSync(join(source, path), 'utf8')
Object.assign(globalThis, { document: { documentElement: {} } })
const { setLanguage } = await import('../src/shared/i18n.tsx')
const figures = await import('../src/app/core/figures.ts')
const verdict = await import('../src/app/core/verdict.ts')
const { isTrouble, optionWords, summaryOf, troubleOf, verdictsOf } = await import('../src/app/questions/verdicts.ts')

/** loadTexts loads the texts of a language. */
const loadTexts = (tag: 'en' | 'de') =>
  setLanguage(
    tag,
    Object.assign({}, ...['candidate', 'assessment', 'questions'].map((screen) => JSON.parse(read(`${screen}/${tag}.json`)))),
  )
loadTexts('en')

type Result = Schemas['Result']
type Stage = Schemas['ResultStage']

const resultOf = (score: number, passingScore: number | null, more: Partial<Result> = {}) =>
  ({
    score,
    passingScore,
    passed: passingScore === null ? null : score >= passingScore,
    status: 'COMPLETED',
    ...more,
  }) as Result
const stageOf = (score: number, minScore: number, more: object = {}) =>
  ({ score, gate: { minScore, passed: score >= minScore, required: true, ...more } }) as Stage

/** Scores as the server computes them, two decimals apart at least, and marks between and on them. */
const marks = [0, 0.01, 33.33, 33.34, 50, 66.66, 66.67, 66.7, 69.95, 69.96, 70, 99.99, 100]
const beside = (mark: number) =>
  [mark - 0.04, mark - 0.01, mark, mark + 0.01, mark + 0.04]
    .map((score) => Math.round(100 * score) / 100)
    .filter((score) => score >= 0 && score <= 100)

describe('Words about a result', () => {
  test('agree with the decision, and with the numbers beside them', () => {
    for (const mark of marks)
      for (const score of beside(mark)) {
        const passed = score >= mark
        for (const [words, about] of [
          [verdict.reasonOf(resultOf(score, mark)), 'passing score'],
          [verdict.gateWords(stageOf(score, mark)), 'gate'],
        ] as const) {
          const where = `${score} against ${mark}: ${words}`
          assert.equal(/^Exactly at/.test(words), score === mark, where)
          assert.equal(/below/.test(words), !passed, where)
          assert.equal(/above/.test(words), score > mark, where)
          assert.ok(words.includes(`${about} of ${mark}%`), where)
          if (score !== mark)
            assert.equal(
              Number(/^([\d.]+) percentage point/.exec(words)![1]),
              Math.round(100 * Math.abs(score - mark)) / 100,
              where,
            )
        }
        assert.equal(verdict.outcomeWord(resultOf(score, mark)), passed ? 'Passed' : 'Not passed')
        assert.equal(verdict.isBelowPassingScore(resultOf(score, mark)), !passed)
        assert.equal(verdict.isBelow(stageOf(score, mark)), !passed)
        // Two different scores never look the same.
        assert.equal(figures.score(score) === figures.score(mark), score === mark)
      }
  })

  test('follow the server, also where the numbers would say something else', () => {
    assert.equal(verdict.reasonOf(resultOf(80, 70, { passed: false })), 'Did not reach the passing score of 70%')
    assert.equal(verdict.reasonOf(resultOf(60, 70, { passed: true })), 'Reached the passing score of 70%')
    assert.equal(verdict.gateWords(stageOf(80, 70, { passed: false })), 'Did not pass the gate of 70%')
    const stopped = resultOf(80, 70, {
      passed: false,
      status: 'DISQUALIFIED',
      disqualification: { stageTitle: 'One' } as never,
    })
    assert.deepEqual(
      [verdict.outcomeWord(stopped), verdict.reasonOf(stopped), verdict.isBelowPassingScore(stopped)],
      ['Stopped', 'Below the gate of “One”', false],
    )
  })

  test('name what ended the session', () => {
    const words = ['SUBMITTED', 'TIME_EXPIRED', 'ABANDONED', 'STAGE_GATE'].map((closeReason) =>
      verdict.endWords({ closeReason }),
    )
    assert.equal(new Set(words).size, 4)
  })

  test('a percentile counts equal scores half, and is rounded to nothing else', () => {
    const words = (percentile: number) => verdict.percentileWords({ percentile, status: 'COMPLETED' })
    assert.equal(words(50), '50% of those who finished scored lower, with equal scores counted half') // all are equal
    assert.match(words(99.98), /^99.98%/)
    assert.deepEqual([2.5, 76.19, 97.5, 99.99].map(figures.percentile), ['2.5', '76.19', '97.5', '99.99'])
  })

  test('are German too', (t) => {
    loadTexts('de')
    t.after(() => loadTexts('en'))
    assert.equal(
      verdict.reasonOf(resultOf(66.67, 66.7)),
      '0,03 Prozentpunkte unter der Bestehensgrenze von 66,7\u00a0%',
    )
    assert.equal(verdict.gateWords(stageOf(69.96, 70)), '0,04 Prozentpunkte unter der Hürde von 70\u00a0%')
    assert.equal(verdict.gateWords(stageOf(70, 70)), 'Genau an der Hürde von 70\u00a0%')
  })
})

describe('Words about all results', () => {
  test('only nothing is 0 %, and only everything is 100 %', () => {
    for (const whole of [1, 2, 3, 7, 199, 200, 201, 1000, 1_000_000])
      for (const part of [0, 1, Math.floor(whole / 2), whole - 1, whole]) {
        const words = figures.share(part, whole)
        assert.equal(words === '0%', part === 0, `${part} of ${whole}: ${words}`)
        assert.equal(words === '100%', part === whole, `${part} of ${whole}: ${words}`)
      }
    assert.deepEqual([figures.share(1, 1000), figures.share(999, 1000), figures.share(0, 0)], ['< 1%', '> 99%', ''])
  })

  test('each score is in the range of exactly one bar, and a bar is below only if all its scores are', () => {
    const bins = Array.from({ length: 20 }, (_, i) => ({ from: 5 * i, to: 5 * i + 5, count: 1 }))
    assert.deepEqual(
      [14, 19].map((i) => verdict.binRange(bins[i]!)),
      ['70% to below 75%', '95% to 100%'],
    )
    for (const mark of marks)
      for (const bin of bins) {
        const highest = bin.to === 100 ? 100 : bin.to - 0.01
        assert.equal(verdict.isBinBelow(bin, mark), highest < mark, `${bin.from} with ${mark}`)
      }
  })

  test('equal quartiles are no range', () => {
    const scores = { count: 5, median: 70, lowerQuartile: 70, upperQuartile: 70 } as Schemas['ScoreStatistics']
    assert.equal(
      verdict.scoresWords(scores),
      '5 candidates have finished. The median is 70%. The middle half is at 70%.',
    )
    assert.match(verdict.scoresWords({ ...scores, upperQuartile: 70.01 }), /between 70% and 70.01%/)
  })

  test('what the server knows only roughly is said roughly', () => {
    assert.equal(verdict.medianOf({ medianScore: 69.97 }), 'about 70%')
    const within = (p90Seconds: number) => verdict.timesWords({ p90Seconds, medianSeconds: 1 })
    assert.deepEqual(
      [within(600), within(601), within(660)],
      ['About 9 of 10 within 10 min', 'About 9 of 10 within 11 min', 'About 9 of 10 within 11 min'],
    )
  })

  const question = (difficulty: number, type: string, more: object = {}) =>
    ({
      difficulty,
      type,
      reached: 100,
      answered: 100,
      maxPoints: 2,
      meanPoints: 2 * difficulty,
      discrimination: 0.5,
      discriminationInterval: { from: 0.34, to: 0.63 },
      keySuspicions: [],
      options: [],
      alphaWithout: null,
      timedCount: 0,
      medianSeconds: null,
      p90Seconds: null,
      ...more,
    }) as unknown as Schemas['QuestionStatistics']
  const option = (text: string, more: object = {}) =>
    ({
      id: text,
      text,
      correct: false,
      chosen: 20,
      discrimination: -0.2,
      discriminationInterval: { from: -0.4, to: -0.01 },
      findings: [],
      ...more,
    }) as unknown as Schemas['OptionStatistics']

  test('a question that everybody gets right differs from one that almost everybody does', () => {
    const words = (difficulty: number, type: string, more = {}) =>
      verdictsOf(question(difficulty, type, more))[0]!.words
    assert.match(words(1, 'NUMERIC'), /^Everybody gets it right \(100%\)/)
    assert.match(words(0.9999, 'NUMERIC'), /^Almost everybody gets it right \(> 99%\)/)
    assert.match(words(1, 'NUMERIC', { reached: 50_000 }), /^Almost everybody gets it right \(> 99%\)/)
    assert.match(words(0.98, 'MULTIPLE_CHOICE'), /^Candidates get almost all points \(98%\)/)
    assert.match(words(0.97, 'NUMERIC'), /^Easy: 97%/)
    assert.match(words(0.75, 'NUMERIC'), /^Easy/)
    assert.match(words(0.7499, 'NUMERIC'), /^Medium: 75%/)
    assert.match(words(0.4, 'NUMERIC'), /^Medium/)
    assert.match(words(0.3999, 'NUMERIC'), /^Hard/)
    assert.match(words(0, 'NUMERIC'), /^Hard: 0%/)
  })

  test('each suspicion of the server is said, also one that this version does not know', () => {
    const options = [
      option('A', { correct: true, chosen: 20, discrimination: -0.2 }),
      option('B', { chosen: 10, discrimination: 0.4, findings: ['CHOSEN_BY_STRONGER'] }),
      option('C', { chosen: 70, discrimination: -0.1 }),
    ]
    const words = (...keySuspicions: string[]) =>
      verdictsOf(question(0, 'SINGLE_CHOICE', { options, keySuspicions, meanPoints: 0 })).map(({ words }) => words)
    assert.equal(
      words('OTHER_OPTION_PREFERRED')[0],
      'Stronger candidates choose “B” rather than the correct option. Check the key.',
    )
    assert.equal(words('HARDLY_ANYBODY_RIGHT')[0], 'Nobody gets it right. Check the key.')
    assert.ok(!words('HARDLY_ANYBODY_RIGHT').some((all) => /^Hard/.test(all)), 'it is said once')
    assert.match(words('WEAKER_DO_BETTER')[0]!, /^Weak candidates do better/)
    assert.equal(words('WEAKER_DO_BETTER').filter((all) => /strong/.test(all)).length, 1)
    assert.equal(words('FUTURE')[0], 'Check the key.')
    for (const suspicion of ['OTHER_OPTION_PREFERRED', 'FUTURE'])
      assert.ok(isTrouble(question(0, 'NUMERIC', { keySuspicions: [suspicion] })))
  })

  test('a correlation is judged only if its interval excludes the opposite', () => {
    const judge = (discrimination: number, from: number, to: number) => {
      const given = question(0.5, 'NUMERIC', { discrimination, discriminationInterval: { from, to } })
      return [verdictsOf(given)[1]!.words.split(' ').slice(0, 3).join(' '), isTrouble(given)]
    }
    // The figure that blamed a good question: -0.07 in 27 results.
    assert.deepEqual(judge(-0.07, -0.4384, 0.3185), ['There are too', false])
    assert.deepEqual(judge(0.05, -0.12, 0.2), ['There are too', false])
    assert.deepEqual(judge(0.05, -0.09, 0.19), ['Hardly separates strong', true])
    assert.deepEqual(judge(0.45, 0, 0.75), ['There are too', false])
    assert.deepEqual(judge(0.25, 0.01, 0.47), ['Separates strong from', false])
    const figure = verdictsOf(question(0.5, 'NUMERIC'))[1]!.figure
    assert.equal(figure, 'Correlation with the other questions: 0.5, with 95% confidence between 0.34 and 0.63')
    const few = question(0.5, 'NUMERIC', { discriminationInterval: null })
    assert.match(verdictsOf(few)[1]!.words, /^There are too few results/)
  })
})

describe('Words about a question among the others', () => {
  const question = (more: object = {}) =>
    ({
      type: 'NUMERIC',
      difficulty: 0.5,
      reached: 100,
      answered: 100,
      maxPoints: 2,
      meanPoints: 1,
      discrimination: 0.5,
      discriminationInterval: { from: 0.34, to: 0.63 },
      keySuspicions: [],
      options: [],
      alphaWithout: null,
      timedCount: 0,
      medianSeconds: null,
      p90Seconds: null,
      ...more,
    }) as unknown as Schemas['QuestionStatistics']
  const reliability = (finding: string, more: object = {}) =>
    ({ alpha: 0.81, count: 100, finding, ...more }) as Schemas['Reliability']

  test('alpha without the question is said only if it is higher, with enough results', () => {
    const isSaid = (alphaWithout: number | null, more: object = {}) =>
      verdictsOf(question({ alphaWithout }), reliability('ACCEPTABLE', more)).some(({ words }) => /alpha/.test(words))
    assert.deepEqual([0.82, 0.8199, 0.81, 0.7, null].map((value) => isSaid(value)), [true, false, false, false, false])
    assert.ok(!isSaid(0.9, { count: 29 }), 'from few results')
    assert.ok(!isSaid(0.9, { alpha: null }), 'without alpha')
    const words = verdictsOf(question({ alphaWithout: 0.83 }), reliability('LOW')).map(({ words }) => words)
    assert.ok(words.includes('Without this question, Cronbach’s alpha would be 0.83 instead of 0.81.'))
  })

  test('the time is said from five measured times', () => {
    const time = (timedCount: number) =>
      verdictsOf(question({ timedCount, medianSeconds: 48, p90Seconds: 95 })).find(({ words }) => /Half/.test(words))
    assert.equal(time(4), undefined)
    assert.equal(time(5)?.words, 'Half of the candidates take at most 48 sec, and 9 of 10 at most 1 min 35 sec.')
    assert.equal(time(5)?.figure, '5 measured times')
  })

  test('a few results do not show that a question is useless', () => {
    const words = (difficulty: number, reached: number) => verdictsOf(question({ difficulty, reached }))[0]!.words
    assert.match(words(1, 29), /^Everybody has got it right so far/)
    assert.match(words(1, 30), /It tells you nothing/)
    assert.match(words(0.98, 29), /^Easy/)
    assert.match(words(0.98, 30), /It tells you little/)
  })

  test('unreliable scores are never said to be fine', () => {
    const fine = [question(), question()]
    const troubled = [question(), question({ keySuspicions: ['WEAKER_DO_BETTER'] })]
    const low = reliability('LOW', { alpha: 0.295 })
    for (const questions of [fine, troubled]) {
      const { words, isTrouble } = summaryOf(questions, low)
      assert.match(words, /^The scores are too unreliable .* single candidates \(Cronbach’s alpha 0.3\)/)
      assert.doesNotMatch(words, /No question stands out/)
      assert.ok(isTrouble)
    }
    assert.match(summaryOf(troubled, low).words, /1 of 2 questions needs your attention/)
    for (const finding of ['ACCEPTABLE', 'HIGH', 'DRAWN_QUESTIONS', 'FUTURE'])
      assert.equal(summaryOf(fine, reliability(finding)).words, 'No question stands out so far.', finding)
    for (const finding of ['UNCERTAIN', 'TOO_FEW_RESULTS'])
      assert.match(summaryOf(fine, reliability(finding)).words, /not known yet/, finding)
  })

  test('what is unusual about an option is said, and findings of later versions are not', () => {
    const words = (...findings: string[]) => optionWords({ findings } as Schemas['OptionStatistics'])
    assert.deepEqual(words('HARDLY_CHOSEN'), ['Hardly anybody chooses it.'])
    assert.deepEqual(words('CHOSEN_BY_STRONGER', 'FUTURE'), ['Stronger candidates choose it.'])
    const isTroubled = question({ options: [{ findings: ['CHOSEN_BY_STRONGER'] }] })
    assert.ok(troubleOf(isTroubled) > troubleOf(question()), 'it is shown before others')
  })
})

describe('Durations', () => {
  test('are never 0, and never promise more time than there is', () => {
    const { duration } = figures
    assert.deepEqual(
      [0, 0.4, 1, 59, 60, 61, 119, 599, 600, 629, 630, 3599, 3600, 3660, 90_000, 172_800, 30 * 86_400].map((s) =>
        duration(s),
      ),
      [
        '< 1 sec',
        '< 1 sec',
        '1 sec',
        '59 sec',
        '1 min',
        '1 min 1 sec',
        '1 min 59 sec',
        '9 min 59 sec',
        '10 min',
        '10 min',
        '11 min',
        '1 hr',
        '1 hr',
        '1 hr 1 min',
        '25 hr',
        '2 days',
        '30 days',
      ],
    )
    assert.deepEqual(
      [59.9, 659, 3659].map((seconds) => duration(seconds, 'down')),
      ['59 sec', '10 min', '1 hr'],
    )
    assert.deepEqual(
      [59.1, 601, 3541].map((seconds) => duration(seconds, 'up')),
      ['1 min', '11 min', '1 hr'],
    )
  })
})

test('Only core/figures.ts formats numbers and percentages, and no score is formatted as another number', () => {
  // Units such as megabytes, the decimals of numbers that people type, and the decimal sign of the reader's region.
  const permitted = [
    'core/figures.ts',
    'audit-log/export.tsx',
    'candidates/spreadsheet.tsx',
    'explanation/words.ts', // in the language of the candidate
    'webhooks/words.tsx',
    'editor/fields.tsx',
  ]
  const scores = /(?:number|quantity|percent|share)\(\s*[\w.!?]*(?:[sS]core|[pP]ercentile|[qQ]uartile|median)\w*\s*[,)]/
  const found: string[] = []
  for (const path of readdirSync(source, { recursive: true, encoding: 'utf8' })) {
    if (!/\.tsx?$/.test(path)) continue
    for (const [i, line] of read(path).split('\n').entries()) {
      const formats =
        /Intl\.NumberFormat|toFixed|toPrecision|toLocaleString|style: 'percent'|\$\{[^}]*\}\s?%(?!`)/.test(line)
      const isBar = /style=\{\{/.test(line) // a length in CSS
      if ((formats && !isBar && !permitted.includes(path)) || (scores.test(line) && !path.startsWith('core/')))
        found.push(`${path}:${i + 1}: ${line.trim()}`)
    }
  }
  assert.deepEqual(found, [])
})

test('The figures of the stages add up when time ended in an earlier one', () => {
  const gate = { minScore: 50, required: true }
  const stages = [
    { gate, reached: 52, failed: 12, outOfTimeCount: 4 },
    { gate: { ...gate, required: false }, reached: 37, failed: 5, outOfTimeCount: 1 },
    { gate: null, reached: 36, failed: 0, outOfTimeCount: 0 },
  ] as Schemas['StageStatistics'][]
  assert.deepEqual(
    stages.map((_, index) => verdict.outOfTime(stages, index)),
    [3, 1, 0],
  )
  assert.equal(
    verdict.stageFiguresWords(stages[0]!),
    '52 reached it, 12 stopped at the gate of 50%, 4 ran out of time in it',
  )
  assert.equal(verdict.stageFiguresWords(stages[2]!), '36 reached it, no gate')
})
