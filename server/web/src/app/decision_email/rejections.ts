// A polite rejection in the languages of candidates, as a start for the words of the organization.
import { candidateLanguage, type CandidateLanguage } from '../core/candidate_languages.ts'

/** The subject and the paragraphs. They have the placeholders of the contract. */
const rejections: Record<CandidateLanguage, string[]> = {
  en: [
    'Your application to {{organizationName}}', 'Dear {{candidateName}},',
    'thank you for your interest, and for the time that you gave to our assessment. We have decided to continue with other candidates.',
    'We wish you all the best.',
  ],
  de: [
    'Ihre Bewerbung bei {{organizationName}}', 'Guten Tag {{candidateName}},',
    'vielen Dank für Ihr Interesse und für die Zeit, die Sie sich für unseren Test genommen haben. Wir haben uns für andere Bewerbungen entschieden.',
    'Wir wünschen Ihnen alles Gute.',
  ],
  fr: [
    'Votre candidature chez {{organizationName}}', 'Bonjour {{candidateName}},',
    'Merci de votre intérêt et du temps que vous avez consacré à notre test. Nous avons décidé de poursuivre avec d’autres candidatures.',
    'Nous vous souhaitons une bonne continuation.',
  ],
  es: [
    'Su candidatura en {{organizationName}}', 'Hola, {{candidateName}}:',
    'Gracias por su interés y por el tiempo que ha dedicado a nuestra prueba. Hemos decidido continuar con otras candidaturas.',
    'Le deseamos lo mejor.',
  ],
  'pt-BR': [
    'Sua candidatura: {{organizationName}}', 'Olá, {{candidateName}},',
    'Agradecemos seu interesse e o tempo que você dedicou ao nosso teste. Decidimos continuar com outras candidaturas.',
    'Desejamos tudo de bom.',
  ],
  pl: [
    'Zgłoszenie: {{organizationName}}', 'Dzień dobry, {{candidateName}}!',
    'Dziękujemy za zainteresowanie i za czas poświęcony na nasz test. Zdecydowaliśmy się na inne osoby.',
    'Życzymy powodzenia.',
  ],
  ar: [
    'طلبك لدى {{organizationName}}', 'مرحبًا {{candidateName}}،',
    'نشكرك على اهتمامك وعلى الوقت الذي خصصته لاختبارنا. قررنا المتابعة مع مرشحين آخرين.', 'نتمنى لك كل التوفيق.',
  ],
  ja: [
    '選考結果のお知らせ（{{organizationName}}）', '{{candidateName}} 様',
    'このたびは当社のテストにお時間をいただき、誠にありがとうございました。検討の結果、今回は見送らせていただくことになりました。',
    '今後のご活躍をお祈り申し上げます。',
  ],
  'zh-Hans': [
    '您在 {{organizationName}} 的申请', '{{candidateName}}，您好：', '感谢您的关注，也感谢您抽出时间完成我们的测试。我们决定选择其他人选。',
    '祝您一切顺利。',
  ],
}

/** rejection returns a subject and a text in the first of these languages (BCP 47) that candidates can have. */
export function rejection(tags: (string | null | undefined)[]): [subject: string, text: string] {
  const known = tags.map(candidateLanguage).find((found) => found !== undefined) ?? 'en'
  const [subject, ...paragraphs] = rejections[known]
  return [subject!, paragraphs.join('\n\n')]
}
