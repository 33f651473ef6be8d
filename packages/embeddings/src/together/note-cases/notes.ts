/** A small vault such as a person keeps: texts by path. */
export const NOTES: Readonly<Record<string, string>> = {
  'Kitchen/Sourdough.md':
    '---\naliases: [Levain]\ntags: [baking]\n---\nFeed the starter with rye flour every morning. Bake at 240 °C for 40 minutes in the iron pot, the lid off for the last ten.',
  'Kitchen/Lentil soup.md':
    'Red lentils, cumin, a carrot, lemon at the end. Freezes well; one pot lasts the family three lunches.',
  'Kitchen/Knives.md':
    'The chef knife goes to the whetstone twice a year: grit 1000, then 3000, at fifteen degrees.',
  'Kitchen/Ölwechsel Fritteuse.md':
    'Das Fett der Fritteuse nach acht Stunden wechseln, kalt filtern, beim Wertstoffhof abgeben.',
  'Garden/Tomatoes.md':
    'Water at the root, never on the leaves, or blight comes. Pinch out side shoots each week. San Marzano did best on the south wall.',
  'Garden/Compost.md':
    'Layer brown and green, turn it monthly. No citrus, no meat. If it smells, add cardboard.',
  'Garden/Bees.md':
    'The second hive swarmed on the 3rd of June. Varroa count 4 per 100; oxalic acid in December.',
  'Garden/Rain barrel.md': 'The pump of the barrel leaks at the seal; order EPDM ring 32 mm.',
  'Health/Sleep.md':
    'No screens after nine. A cool, dark room helps me doze off sooner. Magnesium made no difference.',
  'Health/Back exercises.md':
    'Bird dog, dead bug, side plank: three rounds, every other day. The physiotherapist said to avoid sit-ups.',
  'Health/Vaccinations.md': 'Tetanus 2019, tick-borne encephalitis 2023, next booster in 2028.',
  'Health/Migraine diary.md':
    'Attacks after red wine and after weather changes. The triptan works within an hour if taken early.',
  'Work/Invoices.md':
    'Send them at the end of the month with the hours of each project.\n\n## Late payers\n\nRemind customers who have not paid after two weeks, politely; after six weeks hand it to the lawyer.',
  'Work/Hiring.md':
    'Two stages: a paid exercise at home, then a talk with the team. No puzzles on whiteboards.',
  'Work/Quarterly planning Q3.md': 'Ship the importer, cut the churn under 3 %, hire one support engineer.',
  'Work/1-1 with Priya.md':
    'She wants to lead the mobile rewrite. Talk to Tom about handing it over before her leave in August.',
  'Work/Postmortem 2026-04-11.md':
    'At 02:14 the disk of db-2 filled up with write-ahead logs since the replica had been offline for two days. Alert on replication slots that lag.',
  'Work/Pricing.md':
    'Three plans; the middle one is what 70 % take. Do not discount annually by more than two months.',
  'Work/Style of emails.md':
    'Short sentences. The request comes first, the reason after it. One question a mail.',
  'Code/C++ move semantics.md':
    'std::move casts to an rvalue reference; the moved-from object is valid but unspecified.',
  'Code/Rust lifetimes.md':
    'The borrow checker wants the reference to outlive nothing that it points into. Elision covers most functions.',
  'Code/Postgres indexes.md':
    'A partial index on open tickets made the board fast. GIN for jsonb, BRIN for append-only logs.',
  'Code/Git rescue.md':
    'git reflog shows where the branch stood; git branch saved HEAD@{2} brings the lost work back.',
  'Code/Regex cheatsheet.md': 'Lookahead (?=x), lazy quantifier .*?, named group (?<year>\\d{4}).',
  'Code/Docker on the NAS.md':
    'Ports below 1024 are taken by DSM. Map 8443 to 443 and put the data on volume2.',
  'Code/ERR_SSL_PROTOCOL.md':
    'The browser spoke TLS to a port that answers plain HTTP: ERR_SSL_PROTOCOL_ERROR on 8080.',
  'Home/Boiler.md':
    'Pressure should be 1.5 bar; top up with the blue tap under the stairs. Serviced by Mr. Okafor each October.',
  'Home/Wi-Fi.md': 'The router in the attic is on channel 36. Guests use the network "Haus am See".',
  'Home/Paint colours.md': 'Living room: Farrow & Ball No. 2005. Hall: broken white, silk finish.',
  'Home/Insurance.md':
    'Household contents policy HX-88-2210; water damage is covered, flood is not. Renew before March.',
  'Home/Bicycle.md': 'Chain 11-speed, replaced at 3,200 km. Tyres 35-622, 4 bar behind, 3.5 in front.',
  'Money/Taxes 2026.md':
    'Home office counts for 210 days. Keep receipts of the laptop and of the train to Vienna.',
  'Money/Pension.md':
    'Contributions of 9 % go to the index fund; fees 0.2 %. Check the gap in retirement each spring.',
  'Money/Mortgage.md': 'Fixed at 1.9 % until 2031. Early repayment of 5 % a year is free of charge.',
  'Travel/Lisbon.md': 'The tram 28 climbs to the castle. Custard tarts in Belém, early, before the queue.',
  'Travel/Packing list.md': 'Passport, adapter, ear plugs, the small first-aid kit, a book for the plane.',
  'Travel/Japan.md':
    'IC card for trains, cash for small restaurants, shoes off. Ryokan near Hakone booked for the 12th.',
  'Travel/東京の散歩.md': '谷中から上野まで歩いて、美術館に寄る。夕方は神田の古本屋へ。',
  'Travel/Поход на Байкал.md': 'Палатка, горелка, две карты. Ночью холодно даже в июле.',
  'People/Anna Kowalska.md':
    '---\naliases: [Ania]\n---\nMet at the choir. Teaches physics; her daughter Zosia plays the cello. Allergic to nuts.',
  'People/Grandfather.md': 'Born in 1931 in Lemberg. He repaired clocks and told of the flood of 1954.',
  'People/Dr. Marchetti.md': 'Dentist. Only mornings; the practice is closed in the first week of August.',
  'Books/Middlemarch.md':
    'Dorothea marries Casaubon for his learning and finds a key to nothing. The last paragraph on unhistoric acts.',
  'Books/Thinking in Systems.md':
    'Stocks, flows, delays. Leverage points: change the goal before the parameters.',
  'Books/How to Take Smart Notes.md':
    'One idea a note, in your own words, linked to others: a slip box that surprises you.',
  'Books/The Left Hand of Darkness.md':
    'Genly Ai crosses the ice with Estraven; trust between two who are strangers in every way.',
  'Ideas/Evergreen notes.md':
    'Notes should be written for the long term, named by a claim, and grow with each visit.',
  'Ideas/Four-day week.md':
    'Try it for a quarter: the same pay, Fridays off, measure what is shipped and how tired people are.',
  'Ideas/Podcast for beginners in astronomy.md':
    'Each episode one object: Saturn, the Pleiades, the zodiacal light. Ten minutes, no maths.',
  'Music/Cello practice.md': 'Long tones first. Suite no. 1, the prelude at 60, bowing from the shoulder.',
  'Music/Gear.md': 'Focusrite interface, SM57 on the amp, DI box for the bass; cables in the red bag.',
  'School/Photosynthesis.md':
    'Light reactions split water in the thylakoid; the Calvin cycle fixes carbon dioxide in the stroma.',
  'School/French Revolution.md':
    'Estates-General in May 1789, the oath of the tennis court, the Bastille in July; the Terror from 1793.',
  'School/Probability.md':
    'Bayes: the posterior is proportional to likelihood times prior. A test of 99 % is mostly wrong where one in ten thousand is ill.',
  'Journal/2026-11-02.md': 'Walked with the dog by the river; he chased a heron. Called mum about Christmas.',
  'Journal/2026-11-09.md': 'Rain all day. Finished the shelf, two screws left over. Soup.',
  'Journal/Year in review 2025.md': longNote(),
};

/** A note of many parts, the last of which says what no other part does. */
function longNote(): string {
  const months = Array.from(
    { length: 24 },
    (_, at) =>
      `## Part ${at + 1}\n\n${'We met friends, read in the evening, worked on the house and went for walks. '.repeat(14)}`,
  );
  return `# Year in review 2025\n\n${months.join('\n\n')}\n\n## At the very end\n\nThe ferry to Bornholm was cancelled by the storm, so that we slept in the car at the harbour of Ystad.\n`;
}
